import { describe, expect, it } from '@jest/globals';
import { WeirError } from '@weir/shared/errors';
import { parseQuery } from './parse-query.ts';

function refusal(query: unknown): string {
  try {
    parseQuery(query);
  } catch (thrown) {
    if (thrown instanceof WeirError) return `${thrown.status} ${thrown.message}`;
    throw thrown;
  }
  return 'none';
}

describe('parseQuery', () => {
  it('reads every supported query', () => {
    expect(parseQuery(undefined)).toEqual({ kind: 'all' });
    expect(parseQuery({ match_all: { boost: 1 } })).toEqual({ kind: 'all' });
    expect(parseQuery({ ids: { values: ['a', 1] } })).toEqual({ kind: 'ids', ids: new Set(['a', '1']) });
    expect(parseQuery({ term: { _id: 'a' } })).toEqual({ kind: 'ids', ids: new Set(['a']) });
    expect(parseQuery({ match: { 't.x': 'One two' } })).toMatchObject({ words: ['one', 'two'], minimum: 1 });
    expect(parseQuery({ match: { t: { query: 'One two', operator: 'AND' } } })).toMatchObject({ minimum: 2 });
    expect(parseQuery({ match: { t: { query: 'a b c d', minimum_should_match: '75%' } } })).toMatchObject({
      minimum: 3,
    });
    expect(parseQuery({ match: { t: '...' } })).toEqual({ kind: 'none' });
    expect(parseQuery({ term: { t: { value: '5' } } })).toMatchObject({
      texts: new Set(['5']),
      numbers: new Set([5]),
    });
    expect(parseQuery({ terms: { t: ['a', true] } })).toMatchObject({
      texts: new Set(['a', 'true']),
      numbers: new Set(),
    });
    expect(parseQuery({ range: { t: { gte: 1, lt: '5' } } })).toMatchObject({
      lower: { inclusive: true, value: 1 },
      upper: { inclusive: false, value: '5' },
    });
  });

  it('lets one of the optional clauses of a bool be enough only when nothing else must match', () => {
    const should = [{ match_all: {} }, { match_all: {} }];
    const minimum = (body: object): unknown => (parseQuery({ bool: body }) as { minimum: number }).minimum;
    expect(minimum({ should })).toBe(1);
    expect(minimum({ should, must: { match_all: {} } })).toBe(0);
    expect(minimum({ should, filter: [] })).toBe(1);
    expect(minimum({ should, minimum_should_match: 2 })).toBe(2);
    expect(minimum({ should, minimum_should_match: '-1' })).toBe(1);
    expect(minimum({ should, minimum_should_match: '50%' })).toBe(1);
    expect(minimum({ should, minimum_should_match: '-30%' })).toBe(2);
    expect(minimum({})).toBe(0);
  });

  it.each([
    [
      { fuzzy: { t: 'x' } },
      '400 unknown query [fuzzy], supported: [match_all, match, term, terms, ids, range',
    ],
    [{ bool: { must: [{ match_all: {} }, { 'a\nb': {} }] } }, '400 unknown query [a\uFFFDb]'],
    [{ bool: { filter: { bool: { must_not: { nested: {} } } } } }, '400 unknown query [nested]'],
    [{ constructor: {} }, '400 unknown query [constructor]'],
    [{}, '400 a query clause has to hold exactly one query, got []'],
    [
      { match_all: {}, match: {} },
      '400 a query clause has to hold exactly one query, got [match_all, match]',
    ],
    ['text', '400 [query] malformed query, got [text], expected an object'],
    [[], '400 [query] malformed query'],
    [{ match_all: { x: 1 } }, '400 [match_all] query does not support [x]'],
    [{ match: { t: { query: 'x', fuzziness: 1 } } }, '400 [match] query does not support [fuzziness]'],
    [{ match: { t: { query: 'x', boost: 2 } } }, '400 [match] query does not support [boost]'],
    [{ match: { a: 1, b: 2 } }, "400 [match] query doesn't support multiple fields, found [a] and [b]"],
    [{ match: {} }, '400 [match] query has no field'],
    [{ match: { t: null } }, '400 [match] query needs a string, a number or a boolean, got [null]'],
    [
      { match: { t: { query: 'x', operator: 'xor' } } },
      '400 [match] operator needs to be either OR or AND, got [xor]',
    ],
    [{ term: { t: ['a'] } }, '400 [term] query needs a string, a number or a boolean, got [["a"]]'],
    [{ terms: { t: 'a' } }, '400 [terms] query needs a list of values for [t]'],
    [{ ids: { values: 'a' } }, '400 [ids] [values] has to be a list, got [a]'],
    [{ ids: { values: [{}] } }, '400 [ids] values of [values] are strings, got [{}]'],
    [{ range: { t: { gte: 'now-1d' } } }, '400 [range] date math [now-1d] is not supported'],
    [{ range: { t: { gte: 1, format: 'x' } } }, '400 [range] query does not support [format]'],
    [{ bool: { must: [], musst: [] } }, '400 [bool] query does not support [musst]'],
    [
      { bool: { minimum_should_match: 'x' } },
      '400 minimum_should_match: got [x], allowed: numbers and percentages',
    ],
  ])('refuses %j', (query, expected) => {
    expect(refusal(query)).toContain(expected);
  });

  it('refuses a query with more clauses or levels than OpenSearch takes', () => {
    const clauses = Array.from({ length: 1_100 }, () => ({ match_all: {} }));
    expect(refusal({ bool: { should: clauses } })).toBe('400 too many clauses in the query, allowed: [1024]');
    let deep: object = { match_all: {} };
    for (let level = 0; level < 100_000; level++) deep = { bool: { must: deep } };
    expect(refusal(deep)).toBe('400 the query is nested too deeply, allowed: [20] levels');
    expect(refusal({ match: { t: Array.from({ length: 2_000 }, (_, at) => `w${at}`).join(' ') } })).toBe(
      '400 a query has [2000] words, allowed: [1024]',
    );
  });
});
