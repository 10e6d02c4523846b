import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { makeDirectory } from './make-directory.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'weir-make-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

describe('making a directory', () => {
  it('makes the ones above it too, and leaves one that is there as it is', () => {
    const path = join(directory, 'a', 'b', 'c');
    makeDirectory(path);
    writeFileSync(join(path, 'kept'), '');
    makeDirectory(path);
    expect(statSync(path).isDirectory()).toBe(true);
    expect(existsSync(join(path, 'kept'))).toBe(true);
  });

  it('fails where a file is in the way', () => {
    writeFileSync(join(directory, 'file'), '');
    expect(() => makeDirectory(join(directory, 'file'))).toThrow('EEXIST');
    expect(() => makeDirectory(join(directory, 'file', 'below'))).toThrow('ENOTDIR');
  });

  it('fails, rather than never return, where not even root can make one', () => {
    expect(() => makeDirectory('/proc/weir/data')).toThrow(/^E/);
  });
});
