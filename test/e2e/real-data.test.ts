// Real documents in full: loaded by the documented command, counted, found, and byte for byte the same after everything was started anew.
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type DataSetDocument, dataSet } from '../support/data-set.ts';
import { runToEnd } from '../support/run-to-end.ts';
import { type RunningCluster, startRunningCluster } from '../support/running-cluster.ts';

/** A busy machine makes the cluster refuse for a while, and the loader waits as long as it is told. */
jest.setTimeout(300_000);

const BATCH = 2_000;

let cluster: RunningCluster;
beforeAll(async () => {
  cluster = await startRunningCluster();
});
afterAll(() => cluster.stop());

const countOf = async (index: string, query = ''): Promise<unknown> =>
  (await cluster.ask(`/${index}/_count${query}`)).body['count'];

/** Ids of documents that are not there as they were sent. */
async function differing(index: string, documents: readonly DataSetDocument[]): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (let start = 0; start < documents.length; start += BATCH) {
    const asked = documents.slice(start, start + BATCH);
    const { text } = await cluster.send('POST', `/${index}/_mget`, { ids: asked.map(({ id }) => id) });
    let at = 0;
    for (const { id, source } of asked) {
      at = text.indexOf(`"_id":${JSON.stringify(id)},`, at);
      const begin = text.indexOf('"_source":', at) + '"_source":'.length;
      if (at < 0 || !text.startsWith(`${source}}`, begin)) wrong.push(id);
      else at = begin + source.length;
    }
  }
  return wrong;
}

/** Documents of each copy of each shard, as every node tells it. */
async function copies(index: string): Promise<readonly { shard: string; prirep: string; docs: string }[]> {
  const { text } = await cluster.ask(`/_cat/shards/${index}?format=json&h=shard,prirep,docs`);
  return JSON.parse(text);
}

describe.each([
  ['cities', 171_075, 'country', 'IS'],
  ['wordnet', 82_192, 'gloss', 'photosynthesis'],
])('the data set %s', (name, count, field, word) => {
  let documents: readonly DataSetDocument[];
  beforeAll(async () => {
    documents = await dataSet(name);
    await cluster.send('PUT', `/${name}`, { settings: { number_of_shards: 3, number_of_replicas: 1 } });
  });

  it('is loaded to the last document, and each copy has its share', async () => {
    expect(documents).toHaveLength(count);
    const url = cluster.service('c1').origin;
    const command = ['npm', 'run', '--silent', 'load', '--', name, '--index', name, '--url', url] as const;
    const { ended, stdout } = await runToEnd(command);
    expect([ended, stdout]).toEqual([
      0,
      expect.stringMatching(
        new RegExp(`^${count.toLocaleString('en')} documents accepted.*, 0 documents failed`, 's'),
      ),
    ]);
    const refreshed = await cluster.send('POST', `/${name}/_refresh`);
    expect(refreshed.body).toMatchObject({ _shards: { failed: 0 } });
    expect(await countOf(name)).toBe(count);
    const shards = await copies(name);
    for (const prirep of ['p', 'r']) {
      const docs = shards.filter((copy) => copy.prirep === prirep).map((copy) => Number(copy.docs));
      expect(docs.reduce((sum, docs) => sum + docs, 0)).toBe(count);
      // Murmur3 spreads ids evenly: none of three shards is a tenth off its third.
      for (const each of docs) expect(Math.abs(each - count / 3)).toBeLessThan(count / 30);
    }
  });

  it('is searched, and finds as many as there are', async () => {
    const values = documents.map(({ source }) => String(JSON.parse(source)[field]));
    const expected = values.filter((value) => value.split(/\W+/).includes(word)).length;
    expect(expected).toBeGreaterThan(0);
    const { body } = await cluster.send('POST', `/${name}/_search`, { query: { match: { [field]: word } } });
    expect(body).toMatchObject({ hits: { total: { value: expected, relation: 'eq' } } });
  });
});

describe('after every process was started anew', () => {
  beforeAll(() => cluster.restart());

  it.each([
    ['cities', 171_075],
    ['wordnet', 82_192],
  ])('every document of %s is there, byte for byte', async (name, count) => {
    expect(await countOf(name)).toBe(count);
    expect(await differing(name, await dataSet(name))).toEqual([]);
  });
});
