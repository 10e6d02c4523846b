import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compareSortValues, compareText, type SortKey, type SortValue } from './hit-order.ts';

function sorted(key: Partial<SortKey>, values: readonly SortValue[]): readonly SortValue[] {
  const keys: readonly SortKey[] = [{ field: 'a', order: 'asc', missing: '_last', ...key }];
  return [...values].sort((a, b) => compareSortValues(keys, [a], [b]));
}

describe('the order of hits', () => {
  it('puts missing values last in either order, or first when asked', () => {
    expect(sorted({}, [null, 2, 10, 'x'])).toEqual([2, 10, 'x', null]);
    expect(sorted({ order: 'desc' }, [null, 2, 10, 'x'])).toEqual(['x', 10, 2, null]);
    expect(sorted({ missing: '_first' }, [2, null, 1])).toEqual([null, 1, 2]);
  });

  it('is, of texts, the order of their UTF-8 bytes', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\uffff', '😀', '😁', 'é'), maxLength: 4 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareText(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });
});
