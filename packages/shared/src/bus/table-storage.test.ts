import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type StoredTable, tableFile } from './table-storage.ts';

let directory: string;
let warned: string[];
const log = { warn: (_fields: unknown, message: string) => warned.push(message) };
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'weir-table-'));
  warned = [];
});
afterEach(() => rm(directory, { recursive: true }));

const table: StoredTable = {
  generation: 'g',
  entries: new Map([
    ['a', { version: 3, value: '{"x":"é"}' }],
    ['gone', { version: 4, value: null }],
  ]),
};

describe('a table file', () => {
  it('is nothing before the first save, then what was saved last', async () => {
    const file = tableFile(join(directory, 'deep', 'table.json'), log);
    expect(await file.load()).toBeUndefined();
    await file.save({ generation: 'old', entries: new Map() });
    await file.save(table);
    expect(await file.load()).toEqual(table);
    expect(await readdir(join(directory, 'deep'))).toEqual(['table.json']);
  });

  it.each(['', '{"format":1', '[]', '{"format":2,"generation":"g","entries":[]}'])(
    'that holds %j is set aside and warned of',
    async (text) => {
      const path = join(directory, 'table.json');
      await writeFile(path, text);
      expect(await tableFile(path, log).load()).toBeUndefined();
      expect(await readFile(`${path}.broken`, 'utf8')).toBe(text);
      expect(warned).toEqual(['a table file cannot be read and was set aside']);
    },
  );

  it('is not hurt by what a crash left in the middle of a save', async () => {
    const path = join(directory, 'table.json');
    await tableFile(path, log).save(table);
    await writeFile(`${path}.new`, '{"format":1,"gener');
    expect(await tableFile(path, log).load()).toEqual(table);
    await tableFile(path, log).save(table);
    expect(await readdir(directory)).toEqual(['table.json']);
  });

  it('fails to save where nothing can be written, and keeps the old one', async () => {
    const path = join(directory, 'table.json');
    await writeFile(path, 'a file');
    await expect(tableFile(join(path, 'inside.json'), log).save(table)).rejects.toThrow();
  });
});
