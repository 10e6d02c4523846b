import { describe, expect, it } from '@jest/globals';
import { digestOf } from '../admission/digest.ts';
import { WeirError } from '../ops/errors.ts';
import type { Operation, ShardRequest } from '../wire/operation.ts';
import { decodeShardBulk, encodeShardBulk } from './shard-bulk.ts';
import { decodeShardBulkAnswer, encodeShardBulkAnswer } from './shard-bulk-answer.ts';

const operation: Operation = {
  ...{ kind: 'index', id: '日本', autoId: true, routing: undefined, alias: 'today' },
  ...{
    source: Buffer.from('{"big":9007199254740993,"f":1.0}'),
    ifSeqNo: undefined,
    ifPrimaryTerm: undefined,
  },
  ...{ version: undefined, versionType: 'internal', retryOnConflict: 0, returnSource: false },
};
const request: ShardRequest = {
  ...{ index: 'logs', indexUuid: 'u', shard: 3, primaryTerm: 2, bytes: 300, digest: 0, timeoutMs: 60_000 },
  ...{ waitForActiveShards: 'all', refresh: 'wait_for', requestId: 'r1', bulkId: 'b1' },
  ...{
    opaqueId: undefined,
    traceId: 't',
    operations: [operation, { ...operation, source: Buffer.alloc(1024) }],
  },
};

describe('a shard request for an agent', () => {
  it('brings all it is judged by, and the bulk for its node', () => {
    const bulk = decodeShardBulk(encodeShardBulk(request, ['n2']));
    expect(bulk).toMatchObject({
      ...{ index: 'logs', shard: 3, bytes: 300, timeoutMs: 60_000, refresh: 'wait_for', traceId: 't' },
      ...{
        waitForActiveShards: 'all',
        requestId: 'r1',
        bulkId: 'b1',
        operationCount: 2,
        replicaNodes: ['n2'],
      },
    });
    expect(bulk.work).toBeCloseTo(3 + 32 / 1024);
    expect(bulk.body.toString()).toMatch(
      /^{"index":{"_index":"today","_id":"日本"}}\n{"big":9007199254740993,"f":1.0}\n/,
    );
  });

  it('has the digest that a retry has too, whether or not somebody asked for it before', () => {
    const digest = digestOf(request.operations);
    expect(decodeShardBulk(encodeShardBulk(request, [])).digest).toBe(digest);
    expect(decodeShardBulk(encodeShardBulk({ ...request, digest }, [])).digest).toBe(digest);
  });

  it.each([
    ['cut in its head', (frame: Buffer) => frame.subarray(0, 20)],
    ['empty', () => Buffer.alloc(0)],
  ])('a frame %s is refused by name', (_case, spoil) => {
    expect(() => decodeShardBulk(spoil(encodeShardBulk(request, [])))).toThrow(WeirError);
  });
});

describe('the answer of an agent', () => {
  it('is that of its node, byte for byte, where there is one', () => {
    const answer = { outcome: 'applied', status: 429, body: Buffer.from([0xff, 0x00]) } as const;
    expect(decodeShardBulkAnswer(encodeShardBulkAnswer(answer))).toEqual(answer);
  });

  it('says why where there is none', () => {
    const answer = { outcome: 'failed', code: 'gateway_timeout', message: 'no answer within 5 ms' } as const;
    expect(decodeShardBulkAnswer(encodeShardBulkAnswer(answer))).toEqual(answer);
  });

  it('is nothing else', () => {
    for (const body of ['', '{"error":{"type":"unauthorized"}}'])
      expect(decodeShardBulkAnswer(Buffer.from(body))).toBeUndefined();
  });
});
