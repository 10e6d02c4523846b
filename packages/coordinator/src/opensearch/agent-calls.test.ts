import { describe, expect, it } from '@jest/globals';
import {
  decodeShardBulk,
  encodeShardBulkAnswer,
  type HttpCall,
  INTERNAL_PATHS,
  type ShardRequest,
  WeirError,
} from '@weir/shared';
import { calmStats } from '../testing/fake-data-nodes.ts';
import { agentCalls } from './agent-calls.ts';
import type { UpstreamRequest } from './upstream.ts';

const REQUEST: ShardRequest = {
  index: 'logs',
  indexUuid: 'u',
  shard: 1,
  primaryTerm: 1,
  operations: [
    {
      kind: 'index',
      id: '1',
      autoId: false,
      routing: 'r',
      source: Buffer.from('{"a":1.0}'),
      ifSeqNo: undefined,
      ifPrimaryTerm: undefined,
      version: undefined,
      versionType: 'internal',
      retryOnConflict: 0,
      returnSource: false,
    },
  ],
  bytes: 100,
  digest: 0,
  timeoutMs: 30_000,
  waitForActiveShards: 'all',
  refresh: 'wait_for',
  requestId: 'r-1',
  opaqueId: undefined,
  traceId: undefined,
};
const BULK = '{"index":{"_index":"logs","_id":"1","routing":"r"}}\n{"a":1.0}\n';
const CLIENT = {
  target: '/_bulk',
  rawHeaders: ['Authorization', 'Basic eA==', 'X-Weir-Cluster-Secret', 'guessed', 'Content-Length', '3'],
  body: Buffer.alloc(0),
};

function setUp(agent: () => Buffer, onAgentLoss: 'direct' | 'refuse' = 'direct', error?: WeirError) {
  const calls: HttpCall[] = [];
  const asked: UpstreamRequest[] = [];
  const call = agentCalls({
    http: {
      async call(made) {
        calls.push(made);
        return { status: 200, body: agent() };
      },
      close: async () => undefined,
    },
    internalHeaders: { 'x-weir-cluster-secret': 'right' },
    upstream: {
      origins: ['https://os:9200'],
      async ask(request) {
        asked.push(request);
        if (error !== undefined) throw error;
        return { status: 200, headers: [], body: Buffer.from('{"items":[{"index":{"status":201}}]}') };
      },
    },
    httpAddress: (id) => (id === 'n1' ? 'os-1:9200' : undefined),
    onAgentLoss: () => onAgentLoss,
  });
  return {
    calls,
    asked,
    call: (address: string, id = 'n1') =>
      call({ node: { id, name: id, address }, replicaNodes: ['n2'] }, REQUEST, CLIENT),
  };
}

const answered =
  (body: string, status = 200) =>
  () =>
    encodeShardBulkAnswer({
      outcome: 'applied',
      status,
      body: Buffer.from(body),
      stats: calmStats('n1'),
    });
const lost = (sent: boolean) => () => {
  throw new WeirError('bad_gateway', 'POST http://agent: ECONNREFUSED', { fields: { sent } });
};

describe('a shard request for a node of the cluster', () => {
  it("goes through the agent beside it, with the client's rights and the cluster's own secret", async () => {
    const { call, calls, asked } = setUp(answered('{"items":[{"index":{"_seq_no":1.0,"status":201}}]}'));
    expect(await call('http://agent')).toEqual({
      outcome: 'applied',
      results: [{ ok: true, status: 201, body: '{"_seq_no":1.0,"status":201}' }],
      stats: calmStats('n1'),
    });
    expect(calls[0]).toMatchObject({
      ...{ origin: 'http://agent', path: INTERNAL_PATHS.bulk },
      headers: { authorization: 'Basic eA==', 'x-weir-cluster-secret': 'right' },
    });
    expect(Object.keys(calls[0]?.headers ?? {})).not.toContain('content-length');
    expect(asked).toEqual([]);
    const bulk = decodeShardBulk(calls[0]?.body as Buffer);
    expect(bulk).toMatchObject({ operationCount: 1, replicaNodes: ['n2'], refresh: 'wait_for' });
    expect(bulk.body.toString()).toBe(BULK);
  });

  it.each([
    ['is no JSON', '<html>'],
    ['has fewer items than were sent', '{"items":[]}'],
  ])('is not acknowledged where the answer that the agent passes on %s', async (_, body) => {
    const answer = await setUp(answered(body)).call('http://agent');
    expect(answer).toMatchObject({
      ...{ outcome: 'failed', code: 'bad_gateway', stats: { id: 'n1' } },
      message: expect.stringContaining('may have been applied'),
    });
  });

  it('C126: is 413 for each of its operations where the node finds it too large', async () => {
    const answer = await setUp(answered('', 413)).call('http://agent');
    expect(answer).toMatchObject({ outcome: 'applied', results: [{ ok: false, status: 413 }] });
  });

  it('is told what came where an agent gives no answer of its own', async () => {
    expect(await setUp(() => Buffer.from('{"error":{}}')).call('http://agent')).toBe(
      'node [n1] answered 200 with a body that is no answer',
    );
  });

  it.each([
    ['has no agent', ''],
    ['has an agent that is gone', 'http://agent'],
  ])('goes straight to a node that %s, as a bulk for that shard alone', async (_, address) => {
    const { call, asked } = setUp(lost(false));
    expect(await call(address)).toEqual({
      outcome: 'applied',
      results: [{ ok: true, status: 201, body: '{"status":201}' }],
    });
    expect(asked[0]).toMatchObject({
      path: '/_bulk?timeout=30000ms&refresh=wait_for&wait_for_active_shards=all',
      node: { origin: 'https://os-1:9200', only: false },
    });
    expect(asked[0]?.body?.toString()).toBe(BULK);
  });

  it('goes to any node where the address of the right one is not known', async () => {
    const { call, asked } = setUp(lost(false));
    await call('', 'n9');
    expect(asked[0]).not.toHaveProperty('node');
  });

  it('is never sent a second way when the first may have done it', async () => {
    const { call, asked } = setUp(lost(true));
    await expect(call('http://agent')).rejects.toMatchObject({ code: 'bad_gateway' });
    expect(asked).toEqual([]);
  });

  it.each([
    [
      'lost',
      true,
      { outcome: 'failed', code: 'gateway_timeout', message: expect.stringMatching(/may have/) },
    ],
    ['never begun', false, undefined],
  ])(
    'is not applied, and not followed by the next part, where the direct way was %s',
    async (_, sent, answer) => {
      const error = new WeirError('gateway_timeout', 'POST /_bulk: no answer', { fields: { sent } });
      const { call } = setUp(lost(false), 'direct', error);
      const told = call('');
      if (answer === undefined) await expect(told).rejects.toBe(error);
      else expect(await told).toEqual(answer);
    },
  );

  it('is not done without an agent where the settings say so', async () => {
    const { call, asked } = setUp(lost(false), 'refuse');
    for (const address of ['', 'http://agent'])
      expect(await call(address)).toMatchObject({ outcome: 'failed', code: 'unavailable' });
    expect(asked).toEqual([]);
  });
});
