import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { WeirError } from './errors.ts';
import { startupLine } from './startup-error.ts';

const system = (code: string, fields: object = {}) => Object.assign(new Error(code), { code, ...fields });

describe('the line that says why a service cannot start', () => {
  it('tells a port in use, one that needs privileges and an address of another machine', () => {
    const listen = { syscall: 'listen', address: '127.0.0.1', port: 80 };
    expect(startupLine(system('EADDRINUSE', listen))).toMatch(
      /^port 80 on 127.0.0.1 is in use: .*--http-port/,
    );
    expect(startupLine(system('EACCES', listen))).toMatch(/may not be opened by this user: .*--http-port/);
    expect(startupLine(system('EADDRNOTAVAIL', listen))).toMatch(/^cannot listen on 127.0.0.1 .*--host/);
  });

  it('tells a data directory that cannot be made because a file is in the way', () => {
    const directory = mkdtempSync(join(tmpdir(), 'weir-line-'));
    writeFileSync(join(directory, 'file'), '');
    let line: string | undefined;
    try {
      mkdirSync(join(directory, 'file', 'data'), { recursive: true });
    } catch (error) {
      line = startupLine(error);
    }
    rmSync(directory, { recursive: true });
    expect(line).toMatch(/cannot be written to \(ENOTDIR\): make it a directory .*--data-dir/);
  });

  it.each([
    ['EACCES', /cannot be written to/],
    ['EROFS', /cannot be written to/],
    ['SQLITE_READONLY_DIRECTORY', /cannot be written to/],
    ['SQLITE_BUSY', /is in use by another process/],
    ['ENOSPC', /has no room left/],
  ])('tells %s of the data directory', (code, line) => {
    expect(startupLine(system(code, { path: '/data' }))).toMatch(line);
  });

  it('looks through a wrapping error at its cause', () => {
    const cause = system('EACCES', { path: '/data', syscall: 'mkdir' });
    expect(startupLine(new WeirError('internal', 'cannot open', { cause }))).toMatch(
      /^\/data cannot be written/,
    );
  });

  it('leaves faults of the program alone', () => {
    expect(startupLine(new TypeError('x'))).toBeUndefined();
    expect(startupLine(system('ERR_ASSERTION'))).toBeUndefined();
    expect(startupLine('text')).toBeUndefined();
  });
});
