import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startWholeCluster, type WholeCluster } from '../../support/whole-cluster.ts';

let cluster: WholeCluster;

jest.setTimeout(60_000);

beforeAll(async () => {
  cluster = await startWholeCluster(1, '--elastic-compat');
});
afterAll(() => cluster.stop());

const ndjson = (method: string, body: string, type = 'application/x-ndjson'): RequestInit => ({
  method,
  body,
  headers: { 'content-type': type },
});

describe('calls of real clients', () => {
  it('C116: PUT is the same as POST on both bulk paths', async () => {
    const line = '{"index":{"_index":"logs-a","_id":"1"}}\n{}\n';
    for (const path of ['/_bulk', '/logs-a/_bulk']) {
      const { status, body } = await cluster.ask(path, ndjson('PUT', line));
      expect([status, body['errors']]).toEqual([200, false]);
    }
  });

  it('C117: winston-elasticsearch starts: health, template, bulks with a second key in their action lines', async () => {
    const health = await cluster.ask(
      '/_cluster/health?timeout=30s&wait_for_nodes=>=1&wait_for_status=yellow',
    );
    expect([health.status, health.body['timed_out'], health.body['number_of_nodes']]).toEqual([
      200,
      false,
      2,
    ]);
    expect((await cluster.ask('/_index_template/template_logs', { method: 'HEAD' })).status).toBe(404);
    const put = await cluster.send('PUT', '/_index_template/template_logs?create=true', {
      index_patterns: ['logs-*'],
    });
    expect(put.body).toEqual({ acknowledged: true });
    const bulk = await cluster.ask(
      '/_bulk?wait_for_active_shards=1&timeout=300ms',
      ndjson('POST', '{"index":{"_index":"logs-w","pipeline":null},"attempts":0}\n{"message":"x"}\n'),
    );
    expect(bulk.body['errors']).toBe(false);
  });

  it('C128: a bulk as application/json with a numeric id gives the id back as text', async () => {
    const { body } = await cluster.ask(
      '/legacy/_bulk',
      ndjson('POST', '{"index":{"_id":1,"_type":"doc"}}\n{}\n', 'application/json'),
    );
    expect(body).toMatchObject({ items: [{ index: { _id: '1', status: 201 } }] });
    expect((await cluster.ask('/legacy/_doc/1')).body).toMatchObject({ _id: '1', found: true });
  });

  it('C115: see the product header on every answer, bulks and their refusals too', async () => {
    const answers = [
      await cluster.ask('/_bulk', ndjson('POST', '{"index":{"_index":"logs-a"}}\n{}\n')),
      await cluster.ask('/_bulk', ndjson('POST', 'no json\n')),
      await cluster.ask('/_bulk', { method: 'DELETE' }),
      await cluster.ask('/legacy/_doc/nothing'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 405, 404]);
    for (const { headers } of answers) expect(headers.get('x-elastic-product')).toBe('Elasticsearch');
  });

  it.each(['/%2e%2e%2f_cluster%2fsettings', '/a%2Fb', '/a,b', `/${'x'.repeat(300)}`, '/_internal', '/UPPER'])(
    'C151: no index name leads to another route: %s/_bulk',
    async (path) => {
      const { status, body } = await cluster.ask(`${path}/_bulk`, ndjson('POST', '{"index":{}}\n{}\n'));
      expect([status, body]).toMatchObject([400, { error: { type: 'invalid_index_name_exception' } }]);
    },
  );

  it('C143: the prometheus exporter finds numbers in the three calls it makes', async () => {
    const root = await cluster.ask('/');
    const health = await cluster.ask('/_cluster/health');
    const stats = await cluster.ask('/_nodes/stats');
    expect([root.status, health.status, stats.status]).toEqual([200, 200, 200]);
    for (const answer of [root, health, stats]) expect(answer.text).not.toContain('null');
    const nodes = Object.values(stats.body['nodes'] as Record<string, Record<string, unknown>>);
    expect(nodes).toHaveLength(2);
    for (const node of nodes)
      expect(node).toMatchObject({
        jvm: { mem: { heap_used_in_bytes: expect.any(Number), heap_max_in_bytes: expect.any(Number) } },
        os: { cpu: { load_average: { '1m': expect.any(Number) } } },
        process: { cpu: { percent: expect.any(Number) } },
      });
  });

  it('C134: a thousand index names leave no trace in the metrics', async () => {
    const lines = Array.from({ length: 1_000 }, (_, at) => `{"delete":{"_index":"gone-${at}","_id":"1"}}\n`);
    await cluster.send('PUT', '/_cluster/settings', { transient: { 'action.auto_create_index': false } });
    await cluster.ask('/_bulk', ndjson('POST', lines.join('')));
    const { text } = await cluster.ask('/metrics');
    expect(text).not.toContain('gone-');
    expect(text.split('\n').length).toBeLessThan(2_000);
  });
});
