import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type Documents, linesOf, openDocuments } from './documents.ts';

const collect = async (documents: Documents): Promise<{ id: string; source: string }[]> => {
  const all: { id: string; source: string }[] = [];
  for await (const { id, source } of documents.read()) all.push({ id, source: source.toString() });
  return all;
};

describe('documents to load', () => {
  it('are the lines of a file byte for byte, with ids that stay the same', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'weir-load-'));
    try {
      const path = join(directory, 'x.ndjson');
      writeFileSync(path, '{"a":1.0}\r\n\n{ "é" : 2 }\n{"last":true}');
      const lines: [string, string][] = [];
      for await (const { id, source } of linesOf(path)) lines.push([id, source.toString()]);
      expect(lines).toEqual([
        ['x.ndjson:1', '{"a":1.0}'],
        ['x.ndjson:3', '{ "é" : 2 }'],
        ['x.ndjson:4', '{"last":true}'],
      ]);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('can be the places of GeoNames', async () => {
    const cities = await openDocuments('cities');
    const all = await collect(cities);
    expect([cities.total, all.length]).toEqual([171_075, 171_075]);
    expect(JSON.parse(all[0]?.source ?? '')).toMatchObject({ name: 'Vila', country: 'AD' });
  });

  it('can be the glosses of WordNet', async () => {
    const all = await collect(await openDocuments('wordnet'));
    expect(all).toHaveLength(82_192);
    expect(JSON.parse(all[1]?.source ?? '')).toEqual({
      synset: '00001930',
      words: ['physical entity'],
      gloss: 'an entity that has physical existence',
    });
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });

  it('that are not there are named, with the data sets there are', async () => {
    await expect(openDocuments('nowhere.ndjson')).rejects.toThrow('nowhere.ndjson');
    await expect(openDocuments('nowhere.ndjson')).rejects.toThrow('cities, wordnet');
  });
});
