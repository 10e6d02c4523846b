import { describe, expect, it } from '@jest/globals';
import { parseSort, sortValueOf } from './sort-values.ts';

describe('sorting', () => {
  it('is by score where nothing else is asked', () => {
    for (const none of [undefined, null, []])
      expect(parseSort(none)).toEqual([{ field: '_score', order: 'desc', missing: '_last' }]);
  });

  it('takes names, objects and lists of them', () => {
    expect(parseSort(['a', { b: 'desc' }, { c: { order: 'asc', missing: '_first' } }, '_score'])).toEqual([
      { field: 'a', order: 'asc', missing: '_last' },
      { field: 'b', order: 'desc', missing: '_last' },
      { field: 'c', order: 'asc', missing: '_first' },
      { field: '_score', order: 'desc', missing: '_last' },
    ]);
    expect(parseSort('a')).toHaveLength(1);
  });

  it.each([
    [{ a: 'up' }, '[sort] [order] of [a]: got [up], allowed: [asc, desc]'],
    [{ a: { missing: 0 } }, '[sort] [missing] of [a]: got [0], allowed: [_last, _first]'],
    [{ a: { mode: 'avg' } }, '[sort] query does not support [mode]'],
    [5, '[sort] malformed query, got [5]'],
  ])('refuses %j', (sort, message) => {
    expect(() => parseSort(sort)).toThrow(message);
  });

  it('takes of several values the smallest, or the largest when descending, and knows no infinity', () => {
    expect(sortValueOf([3, 1, 2], 'asc')).toBe(1);
    expect(sortValueOf([3, 1, 2], 'desc')).toBe(3);
    expect(sortValueOf([true], 'asc')).toBe(1);
    expect(sortValueOf([], 'asc')).toBeNull();
    expect(sortValueOf([Number.POSITIVE_INFINITY], 'asc')).toBeNull();
  });
});
