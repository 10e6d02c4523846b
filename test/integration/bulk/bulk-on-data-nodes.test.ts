import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { sourcesAt } from '../../support/data-nodes.ts';
import { type Answer, startWholeCluster, type WholeCluster } from '../../support/whole-cluster.ts';

type Item = {
  readonly _id: string;
  readonly status: number;
  readonly _version?: number;
  readonly result?: string;
  readonly _shards?: unknown;
  readonly error?: { readonly type: string };
};

/** Data nodes start threads of their own, and the machine may be busy. */
jest.setTimeout(60_000);

let cluster: WholeCluster;

beforeAll(async () => {
  cluster = await startWholeCluster(2);
  // Everything shares one process here: its own load must not be what these tests are about.
  await cluster.send('PUT', '/_cluster/settings', { transient: { 'weir.admission.mode': 'disabled' } });
  await cluster.send('PUT', '/logs-a', { settings: { number_of_shards: 3, number_of_replicas: 1 } });
});
afterAll(() => cluster.stop());

const items = (answer: Answer): Item[] =>
  (answer.body['items'] as Readonly<Record<string, Item>>[]).flatMap((item) => Object.values(item));

/** The sources of ids as each copy of the only shard of an index has them. */
async function onEveryCopy(name: string, ids: readonly string[]) {
  const index = cluster.data.metadata.get(name);
  const shard = index?.shards[0];
  if (index === undefined || shard === undefined) throw new Error(`no index ${name}`);
  const copies = [shard.primary, ...shard.replicas].map((copy) => cluster.data.nodeOf(copy?.node));
  return Promise.all(copies.map((node) => sourcesAt(cluster.data, node, index, ids)));
}

describe('a bulk on real data nodes', () => {
  it('C022: a document that is no good is an item error, and the others are stored in their order', async () => {
    const answer = await cluster.bulk(
      '/logs-a/_bulk',
      ...['{"index":{"_id":"c22-1"}}', '{"m":"tab\there"}'],
      ...['{"index":{"_id":"c22-2"}}', '{"time":1,"time":2}'],
      ...['{"index":{"_id":"c22-3"}}', '{"m":"ok"}'],
    );
    expect(answer.status).toBe(200);
    expect(items(answer).map((item) => [item._id, item.status, item.error?.type])).toEqual([
      ['c22-1', 400, 'mapper_parsing_exception'],
      ['c22-2', 400, 'mapper_parsing_exception'],
      ['c22-3', 201, undefined],
    ]);
  });

  it('C023: documents are on every copy byte for byte', async () => {
    const document = '{"big":9007199254740993,"f":1.0,"e":1E400,"b":2,"a":1}';
    const answer = await cluster.bulk('/c23/_bulk', '{"index":{"_id":"1"}}', document);
    expect(items(answer)[0]?._shards).toEqual({ total: 2, successful: 2, failed: 0 });
    expect(await onEveryCopy('c23', ['1'])).toEqual([[document], [document]]);
  });

  it('C037: operations on one id end in the order of the request, on primary and replica alike', async () => {
    const answer = await cluster.bulk(
      '/c37/_bulk',
      ...['{"index":{"_id":"1"}}', '{"v":1}', '{"index":{"_id":"1"}}', '{"v":2}'],
      ...['{"delete":{"_id":"2"}}', '{"index":{"_id":"2"}}', '{"v":9}'],
    );
    expect(items(answer).map((item) => [item.status, item.result])).toEqual([
      [201, 'created'],
      [200, 'updated'],
      [404, 'not_found'],
      [201, 'created'],
    ]);
    expect(await onEveryCopy('c37', ['1', '2'])).toEqual([
      ['{"v":2}', '{"v":9}'],
      ['{"v":2}', '{"v":9}'],
    ]);
  });

  it('C122: a full resend meets conflicts where create had passed, and updates where index had', async () => {
    const create = (id: string) => [`{"create":{"_id":"${id}"}}`, '{"x":1}'];
    await cluster.bulk('/logs-a/_bulk', ...create('c122-1'), ...create('c122-2'));
    const again = await cluster.bulk(
      '/logs-a/_bulk',
      ...['1', '2', '3'].flatMap((id) => create(`c122-${id}`)),
    );
    expect(items(again).map((item) => [item.status, item.error?.type])).toEqual([
      [409, 'version_conflict_engine_exception'],
      [409, 'version_conflict_engine_exception'],
      [201, undefined],
    ]);
    const index = await cluster.bulk('/logs-a/_bulk', '{"index":{"_id":"c122-1"}}', '{"x":2}');
    expect(items(index).map((item) => [item.status, item._version])).toEqual([[200, 2]]);
  });

  it('C001, C004, C007: nothing of a body that is malformed anywhere is stored', async () => {
    const good = '{"index":{"_index":"never","_id":"1"}}\n{"m":"one"}\n';
    const bad = [
      `${good}{"index":{"_index":"never","_id":"2"}}\n{"m":"two"}`,
      `${good}h one"}\n`,
      `${good}{"delete":{}}\n`,
    ];
    for (const body of bad) {
      const headers = { 'content-type': 'application/x-ndjson' };
      expect((await cluster.ask('/_bulk', { method: 'POST', headers, body })).status).toBe(400);
    }
    expect(cluster.data.metadata.get('never')).toBeUndefined();
  });

  it('updates with doc, doc_as_upsert and noop answer as OpenSearch does, with the source where it is wanted', async () => {
    const update = (given: object) => JSON.stringify({ update: { _id: 'up-1', ...given } });
    const answer = await cluster.bulk(
      '/logs-a/_bulk',
      ...[update({}), '{"doc":{"a":1}}'],
      ...[update({}), '{"doc":{"a":1},"doc_as_upsert":true}'],
      ...[update({ _source: true }), '{"doc":{"b":2}}'],
      ...[update({}), '{"doc":{"b":2}}'],
    );
    expect(items(answer).map((item) => [item.status, item.result ?? item.error?.type])).toEqual([
      [404, 'document_missing_exception'],
      [201, 'created'],
      [200, 'updated'],
      [200, 'noop'],
    ]);
    expect(items(answer)[2]).toMatchObject({ get: { found: true, _source: { a: 1, b: 2 } } });
  });

  it('single documents are written, read back and deleted', async () => {
    const put = await cluster.send('PUT', '/logs-a/_doc/one', { a: 1 });
    expect([put.status, put.headers.get('location')]).toEqual([201, '/logs-a/_doc/one']);
    expect((await cluster.send('PUT', '/logs-a/_create/one', { a: 1 })).status).toBe(409);
    expect((await cluster.ask('/logs-a/_doc/one')).body).toMatchObject({ found: true, _source: { a: 1 } });
    expect((await cluster.send('DELETE', '/logs-a/_doc/one')).body).toMatchObject({ result: 'deleted' });
    expect((await cluster.send('DELETE', '/logs-a/_doc/one')).status).toBe(404);
  });
});
