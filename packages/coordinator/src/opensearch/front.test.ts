import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CHANNELS, InProcessBus, systemRng } from '@weir/shared';
import { loadCoordinatorConfig } from '../config.ts';
import { type Coordinator, startCoordinator } from '../coordinator.ts';
import { stressedStats } from '../testing/fake-data-nodes.ts';
import { ask, bodyOf } from '../testing/proxied.ts';
import { N1, N2, recordedAnswers } from '../testing/recorded-cluster.ts';

type Seen = {
  readonly method: string;
  readonly url: string;
  readonly body: Buffer;
  readonly headers: IncomingMessage['headers'];
};

/** A cluster that answers as it was recorded, and remembers what else it was asked. */
class RecordedCluster {
  readonly seen: Seen[] = [];
  settings: object = { persistent: { cluster: { a: '1' } }, transient: {} };
  readonly #server: Server = createServer(async (incoming, response) => {
    const { method = '', url = '', headers } = incoming;
    const recorded = this.#recorded(url);
    if (recorded === undefined) this.seen.push({ method, url, headers, body: await bodyOf(incoming) });
    response.setHeader('content-type', 'application/json');
    if (headers.authorization === 'Basic bad') response.writeHead(401, { 'WWW-Authenticate': 'Basic' });
    response.end(JSON.stringify(recorded ?? { asked: url }));
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this.origin;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #recorded(url: string): unknown {
    const { state, aliases, nodes_http } = recordedAnswers();
    if (url === '/')
      return {
        cluster_name: 'c',
        cluster_uuid: 'u',
        version: { number: '2.19.6', distribution: 'opensearch' },
      };
    if (url.startsWith('/_cluster/state')) return state;
    if (url === '/_alias') return aliases;
    if (url.startsWith('/_nodes/http')) return nodes_http;
    return url.startsWith('/_cluster/settings?') ? this.settings : undefined;
  }
}

let cluster: RecordedCluster;
let weir: Coordinator;
let bus: InProcessBus;
let logged: object[];
beforeEach(async () => {
  cluster = new RecordedCluster();
  const loaded = loadCoordinatorConfig({
    argv: ['--http-port', '0'],
    env: { WEIR_ENGINE: 'opensearch', WEIR_OPENSEARCH_URLS: await cluster.start() },
  });
  if (loaded.kind !== 'run') throw new Error('expected a run');
  logged = [];
  const info = (fields: object, message: string) => logged.push({ ...fields, message });
  const logger = { info, warn: () => undefined, error: () => undefined };
  bus = new InProcessBus(systemRng);
  weir = await startCoordinator({ config: loaded.config, bus, logger: logger as never });
});
afterEach(async () => {
  await weir.stop(0);
  await cluster.stop();
});

const JSON_TYPE = { 'Content-Type': 'application/json' };
const put = (path: string, body: string | Buffer, headers = {}) =>
  ask(weir.origin, { method: 'PUT', path, body, headers: { ...JSON_TYPE, ...headers } });
const json = (body: Buffer) => JSON.parse(body.toString());

/** Only what waits at a primary's node counts: 30 s of work are too much there, and not at a replica's. */
async function judgeByQueue(): Promise<void> {
  const only = {
    'weir.admission.max_shed_ratio': 1,
    'weir.admission.stats_ttl': '60s',
    'weir.admission.queue.replica.soft': 60_000,
    'weir.admission.queue.replica.hard': 60_000,
  };
  const off = ['cpu', 'heap', 'io', 'event_loop'].map((signal) => [
    `weir.admission.${signal}.mode`,
    'disabled',
  ]);
  await put('/_weir/settings', JSON.stringify({ transient: { ...only, ...Object.fromEntries(off) } }));
}

describe('a coordinator in front of a cluster', () => {
  it('says at its start which one, without the field in which each line has the version of its writer', () => {
    expect(logged.find((line) => 'product' in line)).toEqual({
      ...{ cluster_name: 'c', product: 'OpenSearch', product_version: '2.19.6' },
      ...{ urls: [cluster.origin], message: 'in front of a cluster' },
    });
  });

  it.each([
    '/livez',
    '/readyz',
    '/readyz?verbose',
    '/metrics',
    '/_weir/view',
    '/_weir/version',
    '/_weir/cluster',
    '/_weir/settings',
    '/_weir/rejections',
    '/_weir/nothing',
    '/_weir',
  ])('keeps %s to itself', async (path) => {
    await ask(weir.origin, { path });
    await ask(weir.origin, { path, method: 'DELETE' });
    expect(cluster.seen).toEqual([]);
  });

  it.each([
    ['GET', '/_bulk'],
    ['GET', '/logs4/_doc/1'],
    ['HEAD', '/logs4/_doc/1'],
    ['POST', '/_cluster/settings'],
    ['POST', '/logs4/_search'],
    ['GET', '/_weird'],
    ['GET', '/livez/x'],
    ['PUT', '/logs4/_mapping'],
    ['PURGE', '/a%2Fb//c?d=%zz'],
  ])('passes %s %s on', async (method, path) => {
    const { status } = await ask(weir.origin, { method, path });
    expect([status, cluster.seen.map((seen) => [seen.method, seen.url])]).toEqual([200, [[method, path]]]);
  });

  it.each(['/a%00b', '/%1f/_doc/1', '/a%7Fb/_bulk?x=1'])(
    'lets no control character in the name of an index near it: %s',
    async (path) => {
      const { status, body } = await put(path, '{}');
      expect([status, json(body).error.type]).toEqual([400, 'invalid_index_name_exception']);
      expect(cluster.seen).toEqual([]);
      expect((await ask(weir.origin, { path: '/logs4/_doc/a%0Ab' })).status).toBe(200);
    },
  );

  it('C150: passes the rights of its client on, and 401 with its challenge back', async () => {
    const bad = await ask(weir.origin, { path: '/x', headers: { Authorization: 'Basic bad' } });
    expect([bad.status, bad.headers['www-authenticate']]).toEqual([401, 'Basic']);
    expect(cluster.seen[0]?.headers.authorization).toBe('Basic bad');
  });

  it.each([
    ['PUT', '/logs4/_doc/1?refresh=true', '{"a":1}'],
    ['POST', '/logs/_doc', '{"a":1}'],
    ['PUT', '/logs4/_create/1', '{"a":1}'],
    ['POST', '/logs4/_update/a%2Fb', '{"doc":{}}'],
    ['DELETE', '/logs4/_doc/1', undefined],
    ['PUT', '/never-seen/_doc/1', 'not even json'],
  ])('judges %s %s and passes it on as it came', async (method, path, body) => {
    await ask(weir.origin, { method, path, ...(body === undefined ? {} : { body }) });
    expect(cluster.seen.map((seen) => [seen.method, seen.url, seen.body.toString()])).toEqual([
      [method, path, body ?? ''],
    ]);
    const metrics = (await ask(weir.origin, { path: '/metrics' })).body.toString();
    expect(metrics).toMatch(
      /weir_admission_decisions_total\{role="primary",verdict="admit",reason="evidence_unavailable",signal="none"\} 1/,
    );
    expect(metrics).toContain('weir_bulk_operations_total{outcome="accepted"} 1');
  });

  it('refuses a write whose primary is stressed, by the shard its id goes to, before the cluster hears of it', async () => {
    await judgeByQueue();
    await bus.publish(
      CHANNELS.stats,
      JSON.stringify(stressedStats(N1, { name: 'n1', work: 30, drain_per_s: 1 })),
    );
    const statuses = new Map<string, number>();
    for (const id of ['1', '2', '3', '4', '5', '6', '7', '8']) {
      const { status, headers } = await put(`/logs4/_doc/${id}`, '{}');
      statuses.set(id, status);
      if (status === 429) expect(headers['retry-after']).toMatch(/^\d+$/);
    }
    expect(new Set(statuses.values())).toEqual(new Set([200, 429]));
    const passed = cluster.seen.map(({ url }) => url.replace('/logs4/_doc/', ''));
    expect(passed).toEqual([...statuses].filter(([, status]) => status === 200).map(([id]) => id));
    // Without an id OpenSearch chooses the shard, and may choose one on the stressed node.
    expect((await ask(weir.origin, { method: 'POST', path: '/logs4/_doc', body: '{}' })).status).toBe(429);
    expect((await put('/never-seen/_doc/1', '{}')).status).toBe(429);
    expect((await ask(weir.origin, { path: '/logs4/_search' })).status).toBe(200);
  });

  it('is unjudged while admission is disabled, also when every node is stressed', async () => {
    await put('/_weir/settings', '{"transient":{"weir.admission.mode":"disabled"}}');
    for (const id of [N1, N2]) await bus.publish(CHANNELS.stats, JSON.stringify(stressedStats(id)));
    await ask(weir.origin, {
      method: 'POST',
      path: '/_bulk',
      body: 'whatever',
      headers: { 'Content-Type': 'x/y' },
    });
    await put('/logs4/_doc/1', '{}');
    expect(cluster.seen.map(({ url, body }) => [url, body.toString()])).toEqual([
      ['/_bulk', 'whatever'],
      ['/logs4/_doc/1', '{}'],
    ]);
  });
});

describe('settings in front of a cluster', () => {
  it.each([
    ['plain', '{"persistent":{"cluster.a":1}}', {}],
    ['compressed', gzipSync('{"persistent":{"cluster.a":1}}'), { 'Content-Encoding': 'gzip' }],
    ['broken', '{"persistent":', {}],
    ['of another form', 'persistent:\n  weir.x: 1\n', { 'Content-Type': 'application/yaml' }],
    ['compressed in an unknown way', Buffer.from([1, 2]), { 'Content-Encoding': 'br' }],
  ])("that are the cluster's and %s go on as they came", async (_, body, headers) => {
    await put('/_cluster/settings', body, headers);
    expect(cluster.seen).toHaveLength(1);
    expect(cluster.seen[0]?.body.equals(Buffer.from(body))).toBe(true);
    expect(cluster.seen[0]?.headers).toMatchObject(
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    );
  });

  it.each([
    ['plain', '{"transient":{"weir.admission.min_hold":"3s"}}', {}],
    [
      'compressed',
      gzipSync('{"transient":{"weir":{"admission":{"min_hold":"3s"}}}}'),
      { 'Content-Encoding': 'gzip' },
    ],
  ])("that are Weir's and %s stay here", async (_, body, headers) => {
    const answer = await put('/_cluster/settings?flat_settings', body, headers);
    expect(json(answer.body)).toEqual({
      acknowledged: true,
      persistent: {},
      transient: { 'weir.admission.min_hold': '3s' },
    });
    expect(cluster.seen).toEqual([]);
  });

  it('of both in one request are refused, with a key of each', async () => {
    const { status, body } = await put(
      '/_cluster/settings',
      '{"transient":{"weir.admission.mode":"disabled","cluster.a":1}}',
    );
    expect([status, json(body).error.type]).toEqual([400, 'illegal_argument_exception']);
    expect(json(body).error.reason).toContain(
      '[weir.admission.mode] and of the cluster behind it [cluster.a]',
    );
    expect(cluster.seen).toEqual([]);
  });

  it('are shown together, flat, nested and cut as asked', async () => {
    await put('/_cluster/settings', '{"persistent":{"weir.admission.min_hold":"3s"}}');
    const nested = await ask(weir.origin, { path: '/_cluster/settings?local=true' });
    expect(json(nested.body)).toEqual({
      persistent: { cluster: { a: '1' }, weir: { admission: { min_hold: '3s' } } },
      transient: {},
    });
    cluster.settings = { persistent: {}, transient: { 'cluster.b': '2' }, defaults: { 'cluster.c': '3' } };
    const flat = await ask(weir.origin, {
      path: '/_cluster/settings?flat_settings&include_defaults=true&filter_path=*.cluster.b,persistent,defaults.weir.engine',
    });
    expect(json(flat.body)['persistent']).toEqual({ 'weir.admission.min_hold': '3s' });
    const all = await ask(weir.origin, {
      path: '/_cluster/settings?flat_settings=true&include_defaults=true&pretty',
    });
    expect(json(all.body)).toMatchObject({ defaults: { 'cluster.c': '3', 'weir.engine': 'opensearch' } });
    expect(all.body.toString()).toContain('\n  ');
  });
});
