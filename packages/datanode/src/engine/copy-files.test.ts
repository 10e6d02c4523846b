import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { COPY, temporaryDirectory } from '../testing/copy-fixtures.ts';
import { confirmCopy, copyFiles, copyKey, forgetCopy, listCopies, prepareCopy } from './copy-files.ts';

let temporary: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  temporary = temporaryDirectory();
});
afterEach(() => temporary.remove());

describe('files of a copy', () => {
  it('are listed once the copy is confirmed, until it is forgotten', async () => {
    const files = copyFiles(temporary.path, COPY);
    expect(await listCopies(temporary.path)).toEqual([]);
    expect(await prepareCopy(files)).toBe(false);
    expect(await listCopies(temporary.path)).toEqual([]);
    await confirmCopy(files, COPY);
    expect(await listCopies(temporary.path)).toEqual([COPY]);
    expect(await prepareCopy(files)).toBe(true);
    await forgetCopy(files);
    expect(await listCopies(temporary.path)).toEqual([]);
    expect(existsSync(files.directory)).toBe(false);
  });

  it('that an unfinished creation or removal left are thrown away', async () => {
    const files = copyFiles(temporary.path, COPY);
    mkdirSync(files.directory, { recursive: true });
    writeFileSync(files.documents, 'debris');
    expect(await prepareCopy(files)).toBe(false);
    expect(existsSync(files.documents)).toBe(false);
  });

  it('whose identity cannot be read are an error, not debris', async () => {
    const files = copyFiles(temporary.path, COPY);
    await prepareCopy(files);
    writeFileSync(files.identity, '{"index":');
    await expect(prepareCopy(files)).rejects.toThrow('does not name a shard copy');
    await expect(listCopies(temporary.path)).rejects.toThrow('does not name a shard copy');
  });

  it('never lie outside the data directory', () => {
    for (const indexUuid of ['..', 'a/b', '', 'x'.repeat(65), 'a\0'])
      expect(() => copyFiles(temporary.path, { ...COPY, indexUuid })).toThrow('a copy needs an index uuid');
    for (const shard of [-1, 1.5, Number.NaN])
      expect(() => copyFiles(temporary.path, { ...COPY, shard })).toThrow('a copy needs an index uuid');
    expect(copyFiles('/data', COPY).documents).toBe(join('/data', 'shards', 'u', '0', 'docs.db'));
    expect(copyKey(COPY)).toBe('u/0');
  });
});
