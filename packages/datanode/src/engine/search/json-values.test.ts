import { describe, expect, it } from '@jest/globals';
import { leafTexts, scalarsAt } from './json-values.ts';

describe('scalarsAt', () => {
  it('walks objects, arrays and keys that hold dots', () => {
    const document = {
      a: { b: [1, { c: 'x' }, [2, null]] },
      'a.b': 3,
      'd.e': { f: true },
      list: [{ n: 1 }, { n: [2] }],
    };
    expect(scalarsAt(document, 'a.b')).toEqual([3, 1, 2]);
    expect(scalarsAt(document, 'a.b.c')).toEqual(['x']);
    expect(scalarsAt(document, 'd.e.f')).toEqual([true]);
    expect(scalarsAt(document, 'list.n')).toEqual([1, 2]);
    expect(scalarsAt(document, 'a')).toEqual([]);
    expect(scalarsAt(document, 'x.y')).toEqual([]);
    expect(scalarsAt(document, '')).toEqual([]);
  });

  it('sees own keys only', () => {
    expect(scalarsAt({}, 'constructor.name')).toEqual([]);
    expect(scalarsAt(JSON.parse('{"__proto__":{"a":1}}'), '__proto__.a')).toEqual([1]);
  });
});

describe('leafTexts', () => {
  it('takes all scalars in order, and stops at a depth instead of failing', () => {
    expect(leafTexts({ a: 'x', b: [1, { c: true, d: null }], e: { f: 'y' } })).toEqual([
      'x',
      '1',
      'true',
      'y',
    ]);
    const depth = 100_000;
    const bomb: unknown = JSON.parse(`{"first":"x","a":${'['.repeat(depth)}"deep"${']'.repeat(depth)}}`);
    expect(leafTexts(bomb)).toEqual(['x']);
    expect(scalarsAt(bomb, 'a')).toEqual([]);
  });
});
