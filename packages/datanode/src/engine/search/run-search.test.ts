import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { operation } from '../../testing/copy-fixtures.ts';
import { SearchedCopy } from '../../testing/search-fixtures.ts';

let searched: SearchedCopy;
beforeEach(() => {
  searched = new SearchedCopy();
  searched.index({
    paris: { name: 'Paris', country: 'FR', lat: '48.8', people: 2_100_000, tags: ['Capital', 'river Seine'] },
    lyon: { name: 'Lyon', country: 'FR', people: 520_000, tags: ['river Rhône', 'river Saône'] },
    tokyo: { name: '東京', country: 'JP', people: 14_000_000, nested: { deep: { code: 'TYO-1' } } },
    weir: { name: 'Weir on the river', about: 'A weir lets the river pass, river after river', open: true },
    empty: {},
  });
});
afterEach(() => searched.remove());

const sorted = async (query: unknown): Promise<readonly string[]> => [...(await searched.ids(query))].sort();

describe('runSearch', () => {
  it('match_all finds all, in the order they were written, and counts without reading', async () => {
    expect(await searched.ids({ match_all: {} })).toEqual(['paris', 'lyon', 'tokyo', 'weir', 'empty']);
    expect(await searched.find(undefined, undefined, 2)).toMatchObject({
      total: 5,
      maxScore: 1,
      hits: [
        { score: 1, sort: [1] },
        { score: 1, sort: [1] },
      ],
    });
  });

  it('match finds words in a field, in arrays and below objects', async () => {
    expect(await sorted({ match: { name: 'PARIS' } })).toEqual(['paris']);
    expect(await sorted({ match: { tags: 'river' } })).toEqual(['lyon', 'paris']);
    expect(await sorted({ match: { tags: { query: 'river rhône', operator: 'and' } } })).toEqual(['lyon']);
    expect(await sorted({ match: { 'nested.deep.code': 'tyo' } })).toEqual(['tokyo']);
    expect(await sorted({ match: { name: '東' } })).toEqual(['tokyo']);
    expect(await sorted({ match: { people: '520000.0' } })).toEqual(['lyon']);
    expect(await sorted({ match: { country: 'river' } })).toEqual([]);
  });

  it('term finds values as they stand, words of texts, numbers and booleans', async () => {
    expect(await sorted({ term: { country: 'FR' } })).toEqual(['lyon', 'paris']);
    expect(await sorted({ term: { 'country.keyword': 'FR' } })).toEqual(['lyon', 'paris']);
    expect(await sorted({ term: { name: 'river' } })).toEqual(['weir']);
    expect(await sorted({ term: { 'name.keyword': 'river' } })).toEqual([]);
    expect(await sorted({ term: { 'name.keyword': 'Weir on the river' } })).toEqual(['weir']);
    expect(await sorted({ term: { people: 520_000 } })).toEqual(['lyon']);
    expect(await sorted({ term: { people: '520000' } })).toEqual(['lyon']);
    expect(await sorted({ term: { open: true } })).toEqual(['weir']);
    expect(await sorted({ terms: { country: ['JP', 'xx', 'FR'] } })).toEqual(['lyon', 'paris', 'tokyo']);
    expect(await sorted({ term: { country: '---' } })).toEqual([]);
  });

  it('ids, range and bool do what they say', async () => {
    expect(await sorted({ ids: { values: ['lyon', 'nowhere', 'weir'] } })).toEqual(['lyon', 'weir']);
    expect(await sorted({ range: { people: { gte: 520_000, lt: 14_000_000 } } })).toEqual(['lyon', 'paris']);
    expect(
      await sorted({
        bool: {
          must: { match: { country: 'FR' } },
          filter: [{ range: { people: { gt: 1_000_000 } } }],
          must_not: { ids: { values: ['tokyo'] } },
        },
      }),
    ).toEqual(['paris']);
    expect(await sorted({ bool: { must_not: { term: { country: 'FR' } } } })).toEqual([
      'empty',
      'tokyo',
      'weir',
    ]);
    expect(
      await sorted({
        bool: {
          should: [{ match: { name: 'weir' } }, { match: { country: 'JP' } }, { term: { open: true } }],
          minimum_should_match: 2,
        },
      }),
    ).toEqual(['weir']);
    expect(
      await sorted({
        bool: { must: { ids: { values: ['lyon', 'tokyo'] } }, filter: { term: { country: 'JP' } } },
      }),
    ).toEqual(['tokyo']);
  });

  it('query_string finds words anywhere, phrases within one value and beginnings of words', async () => {
    const find = (query: string): Promise<readonly string[]> => sorted({ query_string: { query } });
    expect(await find('river -country:FR')).toEqual(['weir']);
    expect(await find('"river seine"')).toEqual(['paris']);
    expect(await find('"capital river"')).toEqual([]);
    expect(await find('tags:"rhône river"')).toEqual([]);
    expect(await find('cap* OR tyo*')).toEqual(['paris', 'tokyo']);
    expect(await find('name.keyword:We*')).toEqual(['weir']);
    expect(await find('people:*')).toEqual(['lyon', 'paris', 'tokyo']);
    expect(await find('"; DROP TABLE documents; --"')).toEqual([]);
    expect(await find('\\"\\) OR NOT \\(\\*')).toEqual([]);
  });

  it('scores a text higher the more often and the rarer its words stand in it', async () => {
    const { hits, maxScore } = await searched.find({ query_string: { query: 'river weir' } });
    expect(hits[0]?.row.id).toBe('weir');
    expect(maxScore).toBe(hits[0]?.score);
    const scores = hits.map(({ score }) => score ?? 0);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(Math.min(...scores)).toBeGreaterThan(0);
  });

  it('sorts by fields, with missing values last, and shows no score then', async () => {
    expect(await searched.ids(undefined, ['people'])).toEqual(['lyon', 'paris', 'tokyo', 'weir', 'empty']);
    expect(await searched.ids(undefined, { people: 'desc' }, 2)).toEqual(['tokyo', 'paris']);
    expect(await searched.ids(undefined, [{ country: 'desc' }, { people: 'asc' }])).toEqual([
      ...['tokyo', 'lyon', 'paris', 'weir', 'empty'],
    ]);
    expect(await searched.ids(undefined, { _id: 'asc' })).toEqual([
      'empty',
      'lyon',
      'paris',
      'tokyo',
      'weir',
    ]);
    expect(await searched.ids(undefined, { _doc: 'desc' }, 1)).toEqual(['empty']);
    expect(await searched.find({ match: { country: 'fr' } }, ['people', '_id'])).toMatchObject({
      total: 2,
      maxScore: null,
      hits: [{ score: null, sort: [520_000, 'lyon'] }, { score: null }],
    });
  });

  it('keeps the best of many and counts them all', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, at) => [`m${at}`, { n: (at * 7919) % 3_000, t: 'many' }]),
    );
    searched.index(many);
    const { total, hits } = await searched.find({ match: { t: 'many' } }, { n: 'desc' }, 5);
    expect(total).toBe(3_000);
    expect(hits.map(({ sort }) => sort[0])).toEqual([2_999, 2_998, 2_997, 2_996, 2_995]);
    expect((await searched.find({ query_string: { query: 'many' } }, undefined, 0)).total).toBe(3_000);
  });

  it('leaves out at once what was deleted, and shows what the last refresh saw of words', async () => {
    searched.copy.write([operation('delete', 'lyon'), operation('index', 'new', { tags: 'river' })]);
    expect(await sorted({ match: { tags: 'river' } })).toEqual(['paris']);
    searched.refresh();
    expect(await sorted({ match: { tags: 'river' } })).toEqual(['new', 'paris']);
    expect(await sorted({ query_string: { query: 'rhône' } })).toEqual([]);
  });

  it('refuses a window beyond 10000 in OpenSearch’s words', () => {
    expect(() => searched.find(undefined, undefined, 10_001)).toThrow(
      'Result window is too large, from + size must be less than or equal to: [10000] but was [10001]. See the scroll api',
    );
  });
});
