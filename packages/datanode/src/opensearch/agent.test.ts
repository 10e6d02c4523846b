import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  CHANNELS,
  decodeShardBulkAnswer,
  encodeShardBulk,
  type HttpClient,
  INTERNAL_PATHS,
  InProcessBus,
  type Listening,
  type NodeStats,
  type ShardBulkAnswer,
  serve,
  systemClock,
  systemRng,
  systemYield,
  undiciClient,
} from '@weir/shared';
import { loadDataNodeConfig } from '../config.ts';
import type { DataNode } from '../data-node.ts';
import { RECORDED_STATS } from '../testing/recorded-node-stats.ts';
import { indexOperation, shardRequest } from '../testing/requests.ts';
import { startAgent } from './agent.ts';

type Seen = { readonly url: string; readonly headers: NodeJS.Dict<string | string[]>; readonly body: string };

const [NODE_ID] = Object.keys(RECORDED_STATS.nodes);
const LIMIT_MS = 10_000;

let directory: string;
let bus: InProcessBus;
let http: HttpClient;
let node: Listening | undefined;
let agent: DataNode | undefined;
let seen: Seen[];
let heard: NodeStats[];
let onBulk: (response: ServerResponse) => void;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'weir-agent-'));
  bus = new InProcessBus(systemRng);
  http = undiciClient();
  seen = [];
  heard = [];
  await bus.subscribe(CHANNELS.stats, (text) => void heard.push(JSON.parse(text)));
});
afterEach(async () => {
  await agent?.stop(100);
  await node?.stop(100);
  agent = undefined;
  node = undefined;
  await http.close();
  rmSync(directory, { recursive: true, force: true });
});

/** A server that tells the recorded stats, and answers bulks as the test says. */
async function startNode(port = 0): Promise<string> {
  node = await serve(
    (request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        const { url = '', headers } = request;
        if (!url.startsWith('/_bulk')) response.end(JSON.stringify(RECORDED_STATS));
        else {
          seen.push({ url, headers, body });
          onBulk(response);
        }
      });
    },
    { host: '127.0.0.1', port },
  );
  return node.origin;
}

async function startBeside(origin: string, ...argv: readonly string[]): Promise<DataNode> {
  const loaded = loadDataNodeConfig({
    argv: ['--http-port', '0', '--data-dir', directory, '--opensearch-urls', origin, ...argv],
    env: { WEIR_ENGINE: 'opensearch' },
  });
  if (loaded.kind !== 'run') throw new Error('expected a run');
  agent = await startAgent({ config: loaded.config, bus, logger: { info() {}, warn() {} } as never });
  return agent;
}

async function send(change: Parameters<typeof shardRequest>[0] = {}): Promise<ShardBulkAnswer> {
  const { body } = await http.call({
    origin: agent?.origin ?? '',
    path: INTERNAL_PATHS.bulk,
    method: 'POST',
    headers: { authorization: 'Basic Y2xpZW50', 'x-weir-cluster-secret': 's', 'x-opaque-id': 'o' },
    body: encodeShardBulk(
      shardRequest({ operations: [indexOperation('1'), indexOperation('2')], timeoutMs: 5_000, ...change }),
      [],
    ),
    timeoutMs: 10_000,
  });
  const answer = decodeShardBulkAnswer(body);
  if (answer === undefined) throw new Error(`no answer: ${body}`);
  return answer;
}

function bodyOf(answer: ShardBulkAnswer): string | undefined {
  return answer.outcome === 'applied' ? answer.body.toString() : undefined;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = systemClock.nowMs() + LIMIT_MS;
  while (!(await condition())) {
    if (systemClock.nowMs() > endMs) throw new Error(`not within ${LIMIT_MS} ms: ${condition}`);
    await systemYield();
  }
}

async function readiness(): Promise<[number, unknown]> {
  const { status, body } = await http.call({
    ...{ origin: agent?.origin ?? '', path: '/readyz?verbose', method: 'GET', timeoutMs: 5_000 },
  });
  return [status, (JSON.parse(body.toString()) as { checks: { node: unknown } }).checks.node];
}

const item = (status: number, type?: string) => ({
  index: { _index: 'logs', _id: '1', status, ...(type === undefined ? {} : { error: { type } }) },
});
const answerWith = (status: number, body: unknown) => (response: ServerResponse) =>
  void response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(typeof body === 'string' ? body : JSON.stringify(body));

describe('an agent beside a node', () => {
  it('is known by the id and name of its node, and says how it is', async () => {
    await startBeside(await startNode());
    await until(() => heard.some(({ signals }) => signals.heap !== undefined));
    expect(heard.at(-1)).toMatchObject({ id: NODE_ID, name: 'n1', address: agent?.origin, draining: false });
    expect(await readiness()).toEqual([200, { status: 'ok' }]);
  });

  it("hands on the bulk of a shard request with its client's rights, and gives back the answer as it was", async () => {
    await startBeside(await startNode());
    onBulk = answerWith(200, '{"took":1, "items":[{"index":{"_seq_no":9007199254740993}}]}');
    const answer = await send({ refresh: 'true', waitForActiveShards: 'all' });
    expect(answer).toMatchObject({ outcome: 'applied', status: 200, stats: { id: NODE_ID } });
    expect(bodyOf(answer)).toBe('{"took":1, "items":[{"index":{"_seq_no":9007199254740993}}]}');
    const [{ url, headers, body } = { url: '', headers: {}, body: '' }] = seen;
    expect(new URL(url, 'http://x').searchParams.get('refresh')).toBe('true');
    expect(new URL(url, 'http://x').searchParams.get('wait_for_active_shards')).toBe('all');
    expect(headers).toMatchObject({ authorization: 'Basic Y2xpZW50', 'x-opaque-id': 'o' });
    expect(headers['x-weir-cluster-secret']).toBeUndefined();
    expect(body.split('\n')[0]).toBe('{"index":{"_index":"logs","_id":"1"}}');
  });

  it('gives back the status of a whole bulk that failed, and a body that is no JSON', async () => {
    await startBeside(await startNode());
    onBulk = answerWith(403, '<html>');
    const answer = await send();
    expect(answer).toMatchObject({ outcome: 'applied', status: 403 });
    expect(bodyOf(answer)).toBe('<html>');
  });

  it.each<[string, (response: ServerResponse) => void, string]>([
    ['breaks off', (response) => void response.write('{"items":[', () => response.destroy()), 'bad_gateway'],
    ['never comes', () => {}, 'gateway_timeout'],
  ])('says that the write may have been applied when the answer %s', async (_, answers, code) => {
    await startBeside(await startNode());
    onBulk = answers;
    expect(await send({ timeoutMs: 500 })).toMatchObject({
      ...{ outcome: 'failed', code },
      message: expect.stringContaining('may have been applied'),
    });
  });

  it.each([
    ['whole', answerWith(429, { error: { type: 'rejected_execution_exception', reason: 'full' } })],
    ['in part', answerWith(200, { items: [item(201), item(429, 'rejected_execution_exception')] })],
  ])('tells all others at once when its node refuses %s', async (_, answers) => {
    await startBeside(await startNode());
    onBulk = answers;
    await send();
    await until(() => heard.some(({ oldest_waiting_ms }) => oldest_waiting_ms > 2_000));
  });

  it('takes no other 429 for stress', async () => {
    await startBeside(await startNode());
    onBulk = answerWith(200, { items: [item(429, 'cluster_block_exception'), item(201)] });
    const answer = await send();
    expect(answer.stats?.oldest_waiting_ms).toBeLessThan(500);
  });

  it('gives back all bytes, whatever came', async () => {
    await startBeside(await startNode());
    for (const answers of [answerWith(200, ''), answerWith(429, {}), () => {}]) {
      onBulk = answers;
      await send({ timeoutMs: 300 });
    }
    heard.length = 0;
    await until(() => heard.at(-1)?.in_flight_bytes.primary === 0);
  });
});

describe('an agent whose node is gone', () => {
  it('starts without it, is not ready, and is heard of once it is there', async () => {
    const origin = await startNode();
    const { port } = node as Listening;
    await node?.stop(0);
    await startBeside(origin);
    expect(await readiness()).toEqual([
      503,
      { status: 'failed', reason: expect.stringContaining('ECONNREFUSED') },
    ]);
    expect(heard).toEqual([]);
    await startNode(port);
    await until(() => heard.some(({ id, address }) => id === NODE_ID && address === agent?.origin));
    expect((await readiness())[0]).toBe(200);
  });

  it('says that nothing was applied, and has no address until the node is back', async () => {
    await startBeside(await startNode());
    const { port } = node as Listening;
    await until(() => heard.length > 0);
    await node?.stop(0);
    expect(await send()).toMatchObject({ outcome: 'failed', code: 'no_shard_available' });
    await until(() => heard.at(-1)?.address === '');
    expect((await readiness())[0]).toBe(503);
    await startNode(port);
    await until(() => heard.at(-1)?.address === agent?.origin);
  });

  it('says that it goes, so that the node is used without it, and ends what is in flight', async () => {
    await startBeside(await startNode());
    await until(() => heard.length > 0);
    let release = (): void => {};
    onBulk = (response) => {
      release = () => answerWith(200, { items: [item(201), item(201)] })(response);
    };
    const answer = send();
    await until(() => seen.length === 1);
    const stopped = agent?.stop(5_000);
    await until(() => heard.at(-1)?.address === '');
    release();
    expect(await answer).toMatchObject({ outcome: 'applied', status: 200 });
    await stopped;
  });
});

describe('the configuration of an agent', () => {
  it.each([
    ['http://a,http://b', 'an agent stands beside one node'],
    ['', 'weir.opensearch.urls is missing'],
  ])('with the addresses %j is one line that says what is wrong', async (urls, message) => {
    const given = urls === '' ? [] : ['--opensearch-urls', urls];
    const loaded = loadDataNodeConfig({
      argv: ['--http-port', '0', '--data-dir', directory, ...given],
      env: { WEIR_ENGINE: 'opensearch' },
    });
    if (loaded.kind !== 'run') throw new Error('expected a run');
    await expect(
      startAgent({ config: loaded.config, bus, logger: { info() {}, warn() {} } as never }),
    ).rejects.toThrow(message);
  });
});
