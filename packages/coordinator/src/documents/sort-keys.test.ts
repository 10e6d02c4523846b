import { describe, expect, it } from '@jest/globals';
import { compareSortValues } from '@weir/shared';
import { sortKeysFromText, sortKeysOf, toWireSort } from './sort-keys.ts';

describe('sort keys', () => {
  it('mean the same in every form', () => {
    const expected = [
      { field: 'a', order: 'desc', missing: '_last' },
      { field: '_score', order: 'desc', missing: '_last' },
    ];
    expect(sortKeysOf([{ a: 'desc' }, '_score'])).toEqual(expected);
    expect(sortKeysOf([{ a: { order: 'desc' } }, { _score: {} }])).toEqual(expected);
    expect(sortKeysFromText('a:desc,_score')).toEqual(expected);
    expect(toWireSort(sortKeysOf('a'))).toEqual([{ a: { order: 'asc', missing: '_last' } }]);
  });

  it('that are none are named', () => {
    expect(() => sortKeysOf([{ a: { mode: 'avg' } }])).toThrow('Failed to parse [sort]');
    expect(() => sortKeysFromText('a:up')).toThrow('[a:up] of parameter [sort]');
  });

  it('order hits key by key, what is missing last or where it is said', () => {
    const keys = sortKeysOf([{ a: 'desc' }, { b: { missing: '_first' } }]);
    const hits: (string | number | null)[][] = [
      [null, 'x'],
      [2, 'b'],
      [10, 'é'],
      [2, null],
      [2, 'a'],
    ];
    hits.sort((one, other) => compareSortValues(keys, one, other));
    expect(hits).toEqual([
      [10, 'é'],
      [2, null],
      [2, 'a'],
      [2, 'b'],
      [null, 'x'],
    ]);
  });
});
