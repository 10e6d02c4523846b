import { describe, expect, it } from '@jest/globals';
import { type SourceFilter, WHOLE_SOURCE } from '@weir/shared';
import { QueryParameters } from '../http/query-parameters.ts';
import { RawJson } from '../http/raw-json.ts';
import { applySourceFilter, sourceFilterFrom, sourceFilterOf } from './source-filter.ts';

const source = '{"a":1,"o":{"x":1,"y":{"z":2}},"l":[{"x":1,"q":2},3],"big":12345678901234567890}';

const filtered = (filter: SourceFilter): unknown => JSON.parse(applySourceFilter(source, filter)?.text ?? '');

describe('a source filter', () => {
  it('lets the very bytes through where all is wanted', () => {
    expect(applySourceFilter(source, WHOLE_SOURCE)).toEqual(new RawJson(source));
    expect(applySourceFilter(source, sourceFilterOf(false))).toBeUndefined();
  });

  it.each([
    ['o', { o: { x: 1, y: { z: 2 } } }],
    [['o.y'], { o: { y: { z: 2 } } }],
    ['*.x', { o: { x: 1 }, l: [{ x: 1 }] }],
    [{ includes: ['o'], excludes: ['o.y'] }, { o: { x: 1 } }],
    [{ excludes: ['o', 'l', 'big'] }, { a: 1 }],
    ['none', {}],
  ])('%j', (filter, expected) => {
    expect(filtered(sourceFilterOf(filter))).toEqual(expected);
  });

  it('leaves numbers and strings as they are spelled', () => {
    const spelled = '{"big":9007199254740993,"one":1.0,"s":"\\u0000#7","o":{"huge":1E400},"x":1}';
    const shown = applySourceFilter(spelled, sourceFilterOf({ excludes: ['x'] }));
    expect(shown?.text).toBe(spelled.replace(',"x":1', ''));
  });

  it('can come from the query string', () => {
    const query = new QueryParameters({ originalUrl: '/?_source=o,a&_source_excludes=o.y' });
    expect(filtered(sourceFilterFrom(query, WHOLE_SOURCE))).toEqual({ o: { x: 1 }, a: 1 });
  });

  it('is the query string’s alone where that says anything, and its _source_includes come before its _source', () => {
    const from = (query: string) =>
      sourceFilterFrom(new QueryParameters({ originalUrl: `/?${query}` }), sourceFilterOf(['l']));
    expect(from('size=1')).toEqual({ wanted: true, includes: ['l'], excludes: [] });
    expect(from('_source_excludes=o')).toEqual({ wanted: true, includes: [], excludes: ['o'] });
    expect(from('_source=a&_source_includes=o')).toEqual({ wanted: true, includes: ['o'], excludes: [] });
    expect(from('_source=false&_source_includes=o').wanted).toBe(false);
  });

  it('that is none is named', () => {
    expect(() => sourceFilterOf({ include_all: true })).toThrow('Failed to parse [_source]');
  });
});
