import { describe, expect, it } from '@jest/globals';
import { filterSource } from '@weir/shared/documents';
import { parseSourceFilter } from './source-filter.ts';

const DOCUMENT = { a: { b: 1, c: [{ d: 1, e: 2 }] }, ab: 3, tags: ['x', 'y'] };
const filtered = (value: unknown): unknown => filterSource(DOCUMENT, parseSourceFilter(value));

describe('source filter of an update', () => {
  it('takes a boolean, names, or includes and excludes', () => {
    expect(parseSourceFilter(false).wanted).toBe(false);
    expect(filtered(true)).toEqual(DOCUMENT);
    expect(filtered('a')).toEqual({ a: { b: 1, c: [{ d: 1, e: 2 }] } });
    expect(filtered(['a.c.d', 'tags'])).toEqual({ a: { c: [{ d: 1 }] }, tags: ['x', 'y'] });
    expect(filtered({ includes: ['a*'], excludes: ['*.b', 'a.c'] })).toEqual({ a: {}, ab: 3 });
    expect(filtered('nothing')).toEqual({});
  });

  it.each([7, null, { include: 'a' }, ['a', 1]])('refuses %j by name', (value) => {
    expect(() => parseSourceFilter(value)).toThrow('failed to parse field [_source]');
  });

  it('answers a pattern of many stars at once', () => {
    const pattern = `${'a*'.repeat(200)}b`;
    const document = { ['a'.repeat(5_000)]: 1 };
    expect(filterSource(document, parseSourceFilter(pattern))).toEqual({});
  });
});
