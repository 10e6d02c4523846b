import { afterEach, describe, expect, it } from '@jest/globals';
import {
  ClusterView,
  createMetrics,
  type HttpClient,
  type IndexMetadata,
  type Listening,
  type NodeStats,
  serve,
  systemClock,
  systemTimers,
  WeirError,
} from '@weir/shared';
import { DEFAULT_SETTINGS } from '@weir/shared/testing';
import { coordinatorApp } from './app.ts';
import { ReadShards } from './documents/read-shards.ts';
import { readSurface } from './read-surface.ts';
import { sampleIndex, sampleIndices } from './testing/sample-index.ts';

const listening: Listening[] = [];
afterEach(async () => {
  for (const one of listening.splice(0)) await one.stop(100);
});

const dataNode = { id: 'id-dn1', name: 'dn1', address: 'http://127.0.0.1:9300' };
const unreachable: HttpClient = {
  call: ({ origin }) => Promise.reject(new WeirError('bad_gateway', `POST ${origin}: ECONNREFUSED`)),
  close: () => Promise.resolve(),
};

/** A coordinator's surface over given indices; no data node can be reached. */
async function start(options: { indices?: readonly IndexMetadata[]; elasticCompat?: boolean } = {}) {
  const { indices = [], elasticCompat = false } = options;
  const topology = {
    ...sampleIndices(...indices),
    node: (id: string) => (id === dataNode.id ? dataNode : undefined),
    nodes: () => [dataNode],
    refreshSoon: () => undefined,
  };
  const calls = { http: unreachable, headers: {}, timeoutMs: 1_000 };
  const isLive = (id: string) => id === dataNode.id;
  const view = new ClusterView(() => DEFAULT_SETTINGS);
  const routes = readSurface({
    facts: {
      clusterName: 'weir',
      clusterUuid: 'uuid',
      self: { id: 'id-c1', name: 'c1', publishAddress: () => '127.0.0.1:9200' },
      topology,
      isLive,
      clock: systemClock,
      timers: systemTimers,
      elasticCompat,
    },
    admin: {
      createIndex: () => Promise.reject(new WeirError('unavailable', 'no bus')),
      deleteIndex: () => Promise.reject(new WeirError('unavailable', 'no bus')),
      putMappings: () => Promise.reject(new WeirError('unavailable', 'no bus')),
    },
    reads: new ReadShards(topology, calls, isLive),
    calls,
    collectBody: async (request) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks);
    },
    operator: {
      name: 'c1',
      clock: systemClock,
      settings: () => DEFAULT_SETTINGS,
      view,
      ownStress: () => ({
        known: false,
        stress: 0,
        culprit: 'none',
        value: 0,
        limit: 0,
        waitMs: 0,
        would: { stress: 0, culprit: 'none', value: 0, limit: 0, waitMs: 0 },
      }),
      pressure: { combinedBytes: 0 },
      recorder: { newest: () => [], find: () => undefined },
      metrics: createMetrics({ service: 'coordinator', version: '0', startedWallMs: 0 }),
      readiness: () => ({ status: 'degraded', checks: { bus: { status: 'degraded', reason: 'away' } } }),
    },
    sections: { os: () => ({ cpu: { percent: 1 } }) },
    stateVersion: () => 3,
  });
  const app = coordinatorApp({ routes, elasticCompat, report: () => undefined });
  const service = await serve(app, { host: '127.0.0.1', port: 0 });
  listening.push(service);
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(service.origin + path, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parse(text) };
  };
  return { ask, view, topology };
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

const json = (method: string, body: string): RequestInit => ({
  method,
  body,
  headers: { 'content-type': 'application/json' },
});

describe('who answers', () => {
  it('C128: says it at GET / whatever the content type, and nothing but 200 at HEAD /', async () => {
    const { ask } = await start();
    const root = await ask('/', { headers: { 'content-type': 'application/x-ndjson' } });
    expect(root.body).toMatchObject({
      name: 'c1',
      cluster_name: 'weir',
      version: { distribution: 'opensearch', number: '2.19.6' },
    });
    expect(await ask('/', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
  });

  it('C115: passes for an Elasticsearch on every answer, errors too, only where that was switched on', async () => {
    const { ask } = await start({ elasticCompat: true });
    for (const path of ['/', '/_cluster/health', '/gone/_count', '/a/b/c/d', '/_nodes/stats/bogus'])
      expect((await ask(path)).headers.get('x-elastic-product')).toBe('Elasticsearch');
    const root = (await ask('/')).body as { version: { number: string; distribution?: string } };
    expect(root.version.number).toBe('7.17.0');
    expect(root.version.distribution).toBeUndefined();
    const plain = await start();
    expect((await plain.ask('/')).headers.get('x-elastic-product')).toBeNull();
  });

  it("answers in a vendor's content type where one is asked for", async () => {
    const { ask } = await start();
    const accept = 'application/vnd.elasticsearch+json; compatible-with=8';
    expect((await ask('/', { headers: { accept } })).headers.get('content-type')).toBe(
      'application/vnd.elasticsearch+json;compatible-with=8',
    );
  });

  it('echoes X-Opaque-Id, and lays answers out as the query string asks', async () => {
    const { ask } = await start();
    const { headers, text } = await ask('/?filter_path=version.number&pretty', {
      headers: { 'x-opaque-id': 'app-1' },
    });
    expect(headers.get('x-opaque-id')).toBe('app-1');
    expect(text).toBe('{\n  "version": {\n    "number": "2.19.6"\n  }\n}\n');
  });
});

describe('cluster health', () => {
  it('C117: is told at once when what the caller waits for is so', async () => {
    const { ask } = await start({ indices: [sampleIndex('logs', { replicas: 1, nodes: ['id-dn1'] })] });
    const { status, body } = await ask(
      '/_cluster/health?timeout=30s&wait_for_nodes=>=1&wait_for_status=yellow',
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'yellow', timed_out: false, number_of_nodes: 2 });
  });

  it('is 408 with the state as it is when the wait was in vain', async () => {
    const { ask } = await start({ indices: [sampleIndex('logs', { nodes: ['gone'] })] });
    const { status, body } = await ask('/_cluster/health?timeout=100ms&wait_for_status=green');
    expect([status, body['timed_out'], body['status']]).toEqual([408, true, 'red']);
    expect((await ask('/_cluster/health/nothing?timeout=1ms&wait_for_status=yellow')).status).toBe(408);
  });

  it('waits for an index that is named and not there, whatever else is waited for, and is red until then', async () => {
    const { ask, topology } = await start({ indices: [sampleIndex('logs', { nodes: ['id-dn1'] })] });
    const { status, body } = await ask('/_cluster/health/logs,later?timeout=1ms');
    expect([status, body['timed_out'], body['status']]).toEqual([408, true, 'red']);
    expect((await ask('/_cluster/health/later*?timeout=1ms')).status).toBe(200);
    const waiting = ask('/_cluster/health/later?timeout=30s');
    Object.assign(topology, sampleIndices(sampleIndex('later', { nodes: ['id-dn1'] })));
    expect((await waiting).body).toMatchObject({ status: 'green', timed_out: false });
  });
});

describe('templates', () => {
  it('C117: are absent at first, then kept, and the answer says that they are not applied', async () => {
    const { ask } = await start();
    for (const path of ['/_index_template/template_logs', '/_template/template_logs']) {
      expect((await ask(path, { method: 'HEAD' })).status).toBe(404);
      const put = await ask(`${path}?create=true`, json('PUT', '{"index_patterns":["logs-*"]}'));
      expect([put.status, put.text]).toEqual([200, '{"acknowledged":true}']);
      expect(put.headers.get('warning')).toContain('not applied');
      expect((await ask(path, { method: 'HEAD' })).status).toBe(200);
      expect((await ask(`${path}?create=true`, json('PUT', '{}'))).status).toBe(400);
    }
  });
});

describe('nodes', () => {
  it('C127: are published with one address only, the own one', async () => {
    const { ask } = await start();
    for (const path of ['/_nodes/_all/http', '/_nodes/http', '/_nodes/_all/http?filter_path=nodes']) {
      const { text, body } = await ask(path);
      expect(Object.keys(body['nodes'] as object)).toEqual(['id-c1']);
      expect(body).toMatchObject({ nodes: { 'id-c1': { http: { publish_address: '127.0.0.1:9200' } } } });
      expect(text).not.toContain('9300');
    }
    expect((await ask('/_nodes')).text).not.toContain('9300');
    expect((await ask('/_cluster/state')).text).not.toContain('9300');
    expect((await ask('/_cat/nodes?v')).text).not.toContain('9300');
  });

  it('C143: give their stats, numbers or nothing, and say which node did not answer', async () => {
    const { ask } = await start();
    const { text, body } = await ask('/_nodes/stats/os%2Cjvm');
    expect(body).toMatchObject({
      _nodes: { total: 2, successful: 1, failed: 1, failures: [{ node_id: 'id-dn1' }] },
      nodes: { 'id-c1': { os: { cpu: { percent: 1 } } } },
    });
    expect(text).not.toContain('null');
    expect((await ask('/_nodes/_local/stats')).body).toMatchObject({ _nodes: { total: 1, failed: 0 } });
  });

  it('do not know an unknown metric, and name it', async () => {
    const { ask } = await start();
    const { status, body } = await ask('/_nodes/stats/bogus');
    expect([status, body]).toMatchObject([
      400,
      { error: { reason: 'request [/_nodes/stats/bogus] contains unrecognized metric: [bogus]' } },
    ]);
    expect((await ask('/_nodes/id-c1/bogus')).status).toBe(400);
  });
});

describe('indices', () => {
  it('are shown by name and by wildcard, with mappings and settings as they are', async () => {
    const { ask } = await start({
      indices: [sampleIndex('logs-a', { nodes: ['id-dn1'] }), sampleIndex('logs-b')],
    });
    expect((await ask('/logs-a')).body).toMatchObject({
      'logs-a': { aliases: {}, mappings: {}, settings: { index: { number_of_shards: '1' } } },
    });
    expect(Object.keys((await ask('/logs-*/_mapping')).body)).toEqual(['logs-a', 'logs-b']);
    expect((await ask('/logs-a/_settings?flat_settings')).body).toMatchObject({
      'logs-a': { settings: { 'index.number_of_shards': '1' } },
    });
    expect((await ask('/mk-*', { method: 'HEAD' })).status).toBe(200);
    expect((await ask('/mk-*?allow_no_indices=false', { method: 'HEAD' })).status).toBe(404);
  });

  it('that do not exist are a 404 that names them', async () => {
    const { ask } = await start();
    expect((await ask('/gone')).body).toMatchObject({
      status: 404,
      error: { type: 'index_not_found_exception', index: 'gone', reason: 'no such index [gone]' },
    });
  });

  it.each(['/_unknown', '/a%2Fb', '/UPPER', `/${'x'.repeat(300)}`, '/%2e%2e%2f_cluster%2fsettings'])(
    'C151: with a name that none can have are a 400: %s',
    async (path) => {
      const { ask } = await start();
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const { status, body } = await ask(path, { method });
        expect([status, (body['error'] as { type: string }).type]).toEqual([
          400,
          'invalid_index_name_exception',
        ]);
      }
    },
  );

  it('are part of the cluster state', async () => {
    const { ask } = await start({ indices: [sampleIndex('logs', { replicas: 1, nodes: ['id-dn1'] })] });
    const { body } = await ask('/_cluster/state/version,metadata,routing_table,nodes/logs');
    expect(body).toMatchObject({
      version: 3,
      nodes: { 'id-dn1': { name: 'dn1' } },
      metadata: { indices: { logs: { routing_num_shards: 1024, primary_terms: { '0': 1 } } } },
      routing_table: {
        indices: {
          logs: {
            shards: {
              '0': [
                { state: 'STARTED', primary: true, node: 'id-dn1' },
                { state: 'UNASSIGNED', primary: false, node: null },
              ],
            },
          },
        },
      },
    });
    expect((await ask('/_cluster/state/bogus')).status).toBe(400);
  });
});

describe('reads while no copy can be reached', () => {
  it('are a 503 that says why, in JSON', async () => {
    const { ask } = await start({ indices: [sampleIndex('logs', { nodes: ['id-dn1'] })] });
    for (const path of ['/logs/_search', '/logs/_count', '/logs/_doc/1', '/logs/_source/1']) {
      const { status, body } = await ask(path);
      expect(status).toBeGreaterThanOrEqual(502);
      expect(body).toMatchObject({ error: { reason: expect.stringContaining('ECONNREFUSED') } });
    }
    expect((await ask('/logs/_refresh', { method: 'POST' })).body).toMatchObject({
      _shards: { total: 1, successful: 0, failed: 1 },
    });
  });
});

describe('a bad request', () => {
  it.each([
    ['/logs/_search', json('POST', '{"query":'), 400, 'request body is not valid JSON'],
    ['/logs/_search', json('POST', '[1]'), 400, 'has to be a JSON object'],
    ['/logs/_search', { method: 'POST', body: 'a=b' }, 406, 'Content-Type header'],
    [
      '/logs/_search',
      json('POST', `{"query":${'['.repeat(5_000)}${']'.repeat(5_000)}}`),
      400,
      'nested more than',
    ],
    ['/logs/_search?x=1', {}, 400, 'unrecognized parameter: [x]'],
    ['/logs/_mget', json('POST', '{"docs":[]}'), 400, 'no documents to get'],
    ['/_cat/indices?s=nothing', {}, 400, 'unknown sort key'],
    ['/logs/_search', { method: 'DELETE' }, 405, 'allowed: [GET, POST'],
    ['/_weir/explain/none', {}, 404, 'decision [none] is not among'],
  ])('is a JSON error that names what is wrong: %s', async (path, init, status, message) => {
    const { ask } = await start({ indices: [sampleIndex('logs', { nodes: ['id-dn1'] })] });
    const answer = await ask(path, init);
    expect([answer.status, answer.body]).toMatchObject([
      status,
      { error: { reason: expect.stringContaining(message) }, status },
    ]);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });
});

describe('operators and probes', () => {
  it('C106: see a coordinator that is alive, and ready although the bus is away', async () => {
    const { ask } = await start();
    expect((await ask('/livez')).status).toBe(200);
    expect(await ask('/readyz?verbose')).toMatchObject({
      status: 200,
      body: { status: 'degraded', checks: { bus: { reason: 'away' } } },
    });
  });

  it('see the view with every node of it', async () => {
    const { ask, view } = await start();
    view.apply(sampleStats(), systemClock.nowMs());
    expect((await ask('/_weir/view')).body).toMatchObject({
      coordinator: 'c1',
      settings_version: 0,
      own: { stress: 0, in_flight_bytes: 0 },
      nodes: { dn1: { id: 'id-dn1', state: 'calm', boot_id: 'b', seq: 1, signals: { cpu: { value: 42 } } } },
    });
  });

  it('see metrics, rejections and versions', async () => {
    const { ask } = await start();
    expect((await ask('/metrics')).text).toContain('# TYPE weir_admission_decisions_total counter');
    expect((await ask('/_weir/rejections?size=5')).text).toBe('{"rejections":[]}');
    expect((await ask('/_weir/version')).body).toMatchObject({ dialect: '2.19.6' });
    expect((await ask('/_cat/health?v')).text).toContain('discovered_cluster_manager');
    expect((await ask('/_cat')).text).toContain('/_cat/shards');
  });
});

function sampleStats(): NodeStats {
  const { id, name, address } = dataNode;
  return {
    id,
    name,
    address,
    boot_id: 'b',
    seq: 1,
    draining: false,
    signals: { cpu: { fast: 42, slow: 40, quality: 'ok' } },
    work: 0,
    operations_waiting: 0,
    oldest_waiting_ms: 0,
    drain_per_s: null,
    accepted_total: 0,
    completed_total: 0,
    in_flight_bytes: { coordinating: 0, primary: 0, replica: 0 },
    limit_bytes: { primary: 1, replica: 1 },
    settings_version: 0,
  };
}
