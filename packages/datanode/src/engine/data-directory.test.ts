import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { WeirError } from '@weir/shared/errors';
import { seededRng } from '@weir/shared/testing';
import { temporaryDirectory } from '../testing/copy-fixtures.ts';
import { checkDataDirectory, openDataDirectory } from './data-directory.ts';

let temporary: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  temporary = temporaryDirectory();
});
afterEach(() => temporary.remove());

function refusal(path: string): string {
  try {
    openDataDirectory(path, seededRng(1)).release();
  } catch (thrown) {
    if (thrown instanceof WeirError) return `${thrown.code}: ${thrown.message}`;
  }
  return 'none';
}

describe('openDataDirectory', () => {
  it('makes the directory, and gives the node one id for ever', () => {
    const path = join(temporary.path, 'a', 'b');
    const first = openDataDirectory(path, seededRng(1));
    expect(first.nodeId).toMatch(/^[\w-]{22}$/);
    first.release();
    const second = openDataDirectory(path, seededRng(2));
    expect(second.nodeId).toBe(first.nodeId);
    second.release();
    expect(JSON.parse(readFileSync(join(path, 'node.json'), 'utf8'))).toEqual({ node_id: first.nodeId });
  });

  it('is held by one at a time', () => {
    const held = openDataDirectory(temporary.path, seededRng(1));
    expect(refusal(temporary.path)).toBe(
      `config: data directory [${temporary.path}] is in use by another process: stop it, or choose another directory`,
    );
    expect(() => checkDataDirectory(temporary.path)).toThrow('is in use by another process');
    held.release();
    checkDataDirectory(temporary.path);
    expect(refusal(temporary.path)).toBe('none');
  });

  it('says in one line that it cannot be written', () => {
    const file = join(temporary.path, 'file');
    writeFileSync(file, '');
    expect(refusal(file)).toMatch(
      /^config: data directory \[.*\] cannot be written \(E.*\): make it writable/,
    );
    expect(refusal(join(file, 'below'))).toContain('cannot be written');
  });

  it('does not make up a new id where the old one cannot be read', () => {
    writeFileSync(join(temporary.path, 'node.json'), '{"node":');
    expect(refusal(temporary.path)).toContain('node.json] holds no node_id: restore it');
    writeFileSync(join(temporary.path, 'node.json'), '{"node_id":""}');
    expect(refusal(temporary.path)).toContain('holds no node_id');
  });

  it('cannot be taken through a directory that stands where its lock belongs', () => {
    mkdirSync(join(temporary.path, 'node.lock.db'));
    expect(refusal(temporary.path)).toContain('cannot be written');
  });
});
