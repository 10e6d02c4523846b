import { describe, expect, it } from '@jest/globals';
import { QueryParameters } from '../http/query-parameters.ts';
import { parseCountCall, parseSearchCall } from './search-request.ts';

const search = (url: string, body?: unknown) => {
  const query = new QueryParameters({ originalUrl: url });
  const call = parseSearchCall(query, body);
  query.end();
  return call;
};

describe('a search call', () => {
  it('finds everything, ten at a time, by default', () => {
    expect(search('/_search')).toMatchObject({
      query: { match_all: {} },
      from: 0,
      size: 10,
      sort: [],
      totalHits: 10_000,
      allowPartial: true,
    });
  });

  it('takes the query string before the body', () => {
    const body = { query: { match_all: {} }, size: 3, sort: 'a', track_total_hits: true };
    expect(search('/_search?q=name:weir&size=1&sort=b:desc&default_operator=AND', body)).toMatchObject({
      query: { query_string: { query: 'name:weir', default_operator: 'AND' } },
      size: 1,
      sort: [{ field: 'b', order: 'desc' }],
      totalHits: Number.MAX_SAFE_INTEGER,
    });
  });

  it.each([
    ['/_search?size=9999&from=2', undefined, 'Result window is too large'],
    ['/_search', { aggs: {} }, 'unknown key [aggs] in the body of [_search], supported: [query, from,'],
    ['/_search', { size: -1 }, 'Failed to parse [size]'],
    ['/_search', [], 'has to be a JSON object'],
    ['/_search?scroll=1m', undefined, 'contains unrecognized parameter: [scroll]'],
  ])('names what is not supported: %s %j', (url, body, message) => {
    expect(() => search(url, body)).toThrow(message);
  });

  it('counts with a query and nothing else', () => {
    const query = new QueryParameters({ originalUrl: '/_count' });
    expect(() => parseCountCall(query, { size: 1 })).toThrow('unknown key [size] in the body of [_count]');
    expect(parseCountCall(query, { query: { term: { a: 1 } } }).query).toEqual({ term: { a: 1 } });
  });
});
