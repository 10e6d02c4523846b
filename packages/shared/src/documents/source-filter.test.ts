import { describe, expect, it } from '@jest/globals';
import { filterSource, WHOLE_SOURCE } from './source-filter.ts';

const DOCUMENT = {
  a: 1,
  o: { x: 1, y: { z: 2 }, none: {} },
  l: [{ x: 1 }, { q: 2 }, 3, [{ x: 4 }, 5]],
  'd.e': { f: 1, g: 2 },
};
const filtered = (includes: readonly string[], excludes: readonly string[] = []) =>
  filterSource(DOCUMENT, { ...WHOLE_SOURCE, includes, excludes });

describe('a source filter', () => {
  it('takes all below a name, and keeps what is empty where nothing is excluded', () => {
    expect(filtered(['o'])).toEqual({ o: DOCUMENT.o });
    expect(filtered(['o.none', 'l.x'])).toEqual({ o: { none: {} }, l: [{ x: 1 }, [{ x: 4 }]] });
    expect(filtered(['o.none.*', 'gone'])).toEqual({});
    expect(filtered([])).toEqual(DOCUMENT);
  });

  it('lets an exclude win, and leaves no object empty within a list', () => {
    expect(filtered(['l', 'a'], ['l.x', 'a'])).toEqual({ l: [{ q: 2 }, 3, [5]] });
    expect(filtered(['o'], ['o.y.z', 'o.x'])).toEqual({ o: { y: {}, none: {} } });
  });

  it('takes a star for dots too', () => {
    expect(filtered(['*.z', 'l*q'])).toEqual({ o: { y: { z: 2 } }, l: [{ q: 2 }] });
    expect(filtered(['o*'], ['*z'])).toEqual({ o: { x: 1, y: {}, none: {} } });
  });

  it('takes a dot within a key for one between keys', () => {
    expect(filtered(['d'])).toEqual({ 'd.e': { f: 1, g: 2 } });
    expect(filtered(['d.e.f'])).toEqual({ 'd.e': { f: 1 } });
    expect(filtered(['d*'], ['d.e.f'])).toEqual({ 'd.e': { g: 2 } });
    expect(filtered(['d', 'a'], ['d'])).toEqual({ a: 1 });
  });

  it('answers a pattern of many stars at once', () => {
    const includes = [`${'a*'.repeat(200)}b`];
    expect(filterSource({ ['a'.repeat(5_000)]: 1 }, { ...WHOLE_SOURCE, includes })).toEqual({});
  });
});
