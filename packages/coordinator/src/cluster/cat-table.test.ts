import { describe, expect, it } from '@jest/globals';
import { type CatOptions, catHelp, catJson, catText, humanBytes } from './cat-table.ts';

const columns = [
  { name: 'index', aliases: ['i'] },
  { name: 'docs.count', aliases: ['dc'] },
  { name: 'store.size' },
  { name: 'uuid', hidden: true },
];
const rows = [
  { index: 'b', 'docs.count': 5, 'store.size': { bytes: 1_536 }, uuid: 'u1' },
  { index: 'longer', 'docs.count': 1_200, 'store.size': undefined, uuid: 'u2' },
];
const plain: CatOptions = { headings: false, columns: [], sort: [], bytesUnit: undefined };

describe('a _cat table', () => {
  it('is aligned text, numbers to the right, and every line is ended', () => {
    expect(catText(columns, rows, { ...plain, headings: true })).toBe(
      'index  docs.count store.size\nb               5      1.5kb\nlonger       1200\n',
    );
  });

  it('shows the columns asked for by name, alias or pattern', () => {
    expect(catText(columns, rows, { ...plain, columns: ['dc', 'uu*'] })).toBe('   5 u1\n1200 u2\n');
  });

  it('is sorted by columns, also downwards', () => {
    expect(catText(columns, rows, { ...plain, columns: ['i'], sort: ['docs.count:desc'] })).toBe(
      'longer\nb\n',
    );
    expect(() => catText(columns, rows, { ...plain, sort: ['x'] })).toThrow('unknown sort key');
  });

  it('writes sizes in the unit asked for', () => {
    expect(catText(columns, rows, { ...plain, columns: ['store.size'], bytesUnit: 'b' })).toBe('1536\n\n');
    expect([humanBytes(5), humanBytes(2 ** 20), humanBytes(1.55 * 2 ** 30)]).toEqual(['5b', '1mb', '1.5gb']);
  });

  it('is a list of objects of texts as JSON', () => {
    expect(catJson(columns, rows, plain)).toEqual([
      { index: 'b', 'docs.count': '5', 'store.size': '1.5kb' },
      { index: 'longer', 'docs.count': '1200', 'store.size': null },
    ]);
  });

  it('explains its columns', () => {
    expect(catHelp(columns)).toContain('docs.count | dc\n');
  });
});
