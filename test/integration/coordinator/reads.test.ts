import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startWholeCluster, type WholeCluster } from '../../support/whole-cluster.ts';

let cluster: WholeCluster;

/** Data nodes start threads of their own, and the machine may be busy. */
jest.setTimeout(60_000);

const sources = {
  '1': '{ "name": "Weir on the river", "n": 1, "big": 12345678901234567890 }',
  '2': '{"name":"a lock","n":2.50,"nested":{"a":1,"b":[{"c":2}]}}',
  '3': '{"name":"river delta 😀","n":-3}',
};

beforeAll(async () => {
  cluster = await startWholeCluster(3);
  await cluster.send('PUT', '/places', { settings: { number_of_shards: 3, number_of_replicas: 1 } });
  const lines = Object.entries(sources).flatMap(([_id, source]) => [{ index: { _id } }, source]);
  await cluster.bulk('/places/_bulk?refresh=true', ...lines);
  await cluster.bulk('/other/_bulk?refresh=true', { index: { _id: 'o', routing: 'r' } }, '{"name":"river"}');
});
afterAll(() => cluster.stop());

describe('a document', () => {
  it('is read by id with its version, and its source byte for byte', async () => {
    const { text, status } = await cluster.ask('/places/_doc/1');
    expect(status).toBe(200);
    expect(text).toMatch(
      /^\{"_index":"places","_id":"1","_version":1,"_seq_no":\d+,"_primary_term":1,"found":true,"_source":/,
    );
    expect(text.endsWith(`${sources['1']}}`)).toBe(true);
    expect((await cluster.ask('/places/_source/1')).text).toBe(sources['1']);
  });

  it('is read in part where only that is wanted', async () => {
    expect((await cluster.ask('/places/_doc/2?_source=nested.b')).body).toMatchObject({
      _source: { nested: { b: [{ c: 2 }] } },
    });
    expect((await cluster.ask('/places/_doc/2?_source=false')).body).not.toHaveProperty('_source');
    expect((await cluster.ask('/places/_source/2?_source_includes=n')).text).toBe('{"n":2.50}');
  });

  it('that does not exist is a 404 of its own kind', async () => {
    const missing = await cluster.ask('/places/_doc/9');
    expect([missing.status, missing.body]).toEqual([404, { _index: 'places', _id: '9', found: false }]);
    expect((await cluster.ask('/places/_source/9')).status).toBe(404);
    expect((await cluster.ask('/gone/_doc/1')).body).toMatchObject({
      error: { type: 'index_not_found_exception' },
    });
    expect((await cluster.ask('/places/_doc/1', { method: 'HEAD' })).status).toBe(200);
    expect((await cluster.ask('/places/_doc/9', { method: 'HEAD' })).status).toBe(404);
  });

  it('is found under its routing only', async () => {
    expect((await cluster.ask('/other/_doc/o?routing=r')).body).toMatchObject({ found: true, _routing: 'r' });
  });
});

describe('_mget', () => {
  it('answers in the order of the request, each with a document, found false or an error', async () => {
    const { body } = await cluster.send('POST', '/_mget', {
      docs: [
        { _index: 'places', _id: '3' },
        { _index: 'gone', _id: '1' },
        { _index: 'places', _id: '9' },
        { _index: 'other', _id: 'o', routing: 'r' },
        { _index: 'places', _id: 1, _source: ['n'] },
      ],
    });
    expect(body['docs']).toMatchObject([
      { _id: '3', found: true, _source: { n: -3 } },
      { _index: 'gone', _id: '1', error: { type: 'index_not_found_exception' } },
      { _id: '9', found: false },
      { _id: 'o', found: true },
      { _id: '1', found: true, _source: { n: 1 } },
    ]);
  });

  it('takes ids of the index in the path', async () => {
    const { body } = await cluster.send('GET', '/places/_mget', undefined);
    expect(body).toMatchObject({ status: 400 });
    expect((await cluster.send('POST', '/places/_mget', { ids: ['1', '2'] })).body['docs']).toMatchObject([
      { found: true },
      { found: true },
    ]);
  });
});

describe('a search', () => {
  it('finds in every shard and puts the best first, the sources byte for byte', async () => {
    const { body, text } = await cluster.ask('/places/_search?q=name:river');
    expect(body).toMatchObject({
      timed_out: false,
      _shards: { total: 3, successful: 3, skipped: 0, failed: 0 },
      hits: { total: { value: 2, relation: 'eq' } },
    });
    const { hits } = body['hits'] as { hits: { _id: string; _score: number }[] };
    expect(hits.map(({ _id }) => _id).sort()).toEqual(['1', '3']);
    expect(hits[0]?._score).toBeGreaterThanOrEqual(hits[1]?._score ?? 0);
    expect(text).toContain(sources['1']);
  });

  it('sorts across shards and pages', async () => {
    const search = async (body: object) => {
      const answer = await cluster.send('POST', '/places/_search', body);
      return (answer.body['hits'] as { hits: { _id: string; sort: unknown[] }[] }).hits;
    };
    const all = await search({ sort: [{ n: 'desc' }] });
    expect(all.map(({ _id }) => _id)).toEqual(['2', '1', '3']);
    expect((await search({ sort: ['n'], from: 1, size: 1 })).map(({ _id }) => _id)).toEqual(['1']);
  });

  it('reaches several indices by list and wildcard, and all of them without a name', async () => {
    const total = async (path: string) => {
      const { body } = await cluster.ask(path);
      return (body['hits'] as { total: { value: number } }).total.value;
    };
    expect(await total('/places,other/_search?q=river')).toBe(3);
    expect(await total('/pla*/_search')).toBe(3);
    expect(await total('/_search?size=0')).toBe(4);
    expect(await total('/places,gone/_search?ignore_unavailable=true')).toBe(3);
    expect(await total('/nothing-*/_search')).toBe(0);
    expect((await cluster.ask('/places,gone/_search')).status).toBe(404);
  });

  it('counts hits as the caller wants them counted', async () => {
    expect((await cluster.ask('/places/_search?track_total_hits=2&size=0')).body).toMatchObject({
      hits: { total: { value: 2, relation: 'gte' } },
    });
    expect((await cluster.ask('/places/_search?track_total_hits=false')).body['hits']).not.toHaveProperty(
      'total',
    );
    expect((await cluster.ask('/places/_search?rest_total_hits_as_int=true')).body).toMatchObject({
      hits: { total: 3 },
    });
    expect((await cluster.ask('/places/_count')).body).toEqual({
      count: 3,
      _shards: { total: 3, successful: 3, skipped: 0, failed: 0 },
    });
    expect((await cluster.send('POST', '/places/_count', { query: { term: { n: 1 } } })).body).toMatchObject({
      count: 1,
    });
  });

  it('with a query that is not supported is a 400 that names it', async () => {
    const { status, text } = await cluster.send('POST', '/places/_search', { query: { fuzzy: { a: 'b' } } });
    expect(status).toBe(400);
    expect(text).toContain('fuzzy');
  });
});

describe('the tables of _cat', () => {
  it('show what is there', async () => {
    expect((await cluster.ask('/_cat/indices/places?h=health,index,pri,rep,docs.count')).text).toBe(
      'green places 3 1 3\n',
    );
    const { body } = await cluster.ask('/_cat/shards/places?format=json');
    expect(body).toHaveLength(6);
    expect((await cluster.ask('/_cat/count/places?h=count')).text).toBe('3\n');
    expect((await cluster.ask('/_cat/nodes?h=name&s=name')).text).toBe('c1\ndn1\ndn2\ndn3\n');
  });
});

describe('an index', () => {
  it('can be made, mapped, measured, refreshed and deleted', async () => {
    expect((await cluster.send('PUT', '/made', {})).body).toEqual({
      acknowledged: true,
      shards_acknowledged: true,
      index: 'made',
    });
    expect((await cluster.send('PUT', '/made', {})).body).toMatchObject({
      status: 400,
      error: { type: 'resource_already_exists_exception' },
    });
    await cluster.send('PUT', '/made/_mapping', { properties: { a: { type: 'keyword' } } });
    await cluster.send('PUT', '/made/_mapping', { properties: { b: { type: 'long' } } });
    expect((await cluster.ask('/made/_mapping')).body).toEqual({
      made: { mappings: { properties: { a: { type: 'keyword' }, b: { type: 'long' } } } },
    });
    await cluster.bulk('/made/_bulk', { index: {} }, '{}');
    expect((await cluster.ask('/made/_refresh')).body).toEqual({
      _shards: { total: 2, successful: 2, failed: 0 },
    });
    expect((await cluster.ask('/made/_stats')).body).toMatchObject({
      indices: { made: { primaries: { docs: { count: 1 } }, total: { docs: { count: 2 } } } },
    });
    expect((await cluster.ask('/_cluster/health/made')).body).toMatchObject({
      status: 'green',
      active_shards: 2,
    });
    expect((await cluster.ask('/made', { method: 'DELETE' })).body).toEqual({ acknowledged: true });
    expect((await cluster.ask('/made', { method: 'HEAD' })).status).toBe(404);
  });
});
