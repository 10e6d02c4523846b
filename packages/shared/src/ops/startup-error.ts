// What a person is told in one line when a service cannot start: what is wrong, and what to do.
import { WeirError } from './errors.ts';

/** The system's or SQLite's error, as far as it names what failed. */
type SystemError = {
  readonly code: string;
  readonly syscall?: string;
  readonly address?: string;
  readonly port?: number;
  readonly path?: string;
};

/** The line for a failure that a person can mend, or undefined where it is a fault of the program. */
export function startupLine(error: unknown): string | undefined {
  if (error instanceof WeirError) return error.code === 'config' ? error.message : startupLine(error.cause);
  if (!isSystemError(error)) return undefined;
  return error.syscall === 'listen' || error.syscall === 'getaddrinfo' ? listenLine(error) : pathLine(error);
}

function isSystemError(error: unknown): error is SystemError {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string';
}

function listenLine({ code, address, port }: SystemError): string {
  const where = address === undefined ? '' : ` ${address}`;
  if (code === 'EADDRINUSE')
    return `port ${port} on${where} is in use: stop what listens there or choose another with --http-port (WEIR_HTTP_PORT)`;
  if (code === 'EACCES')
    return `port ${port} on${where} may not be opened by this user: choose one above 1023 with --http-port (WEIR_HTTP_PORT)`;
  return `cannot listen on${where} (${code}): choose an address of this machine with --host (WEIR_HOST)`;
}

const NOT_WRITABLE = [
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
  'EEXIST',
  'ENOENT',
  'SQLITE_READONLY',
  'SQLITE_CANTOPEN',
];

function pathLine({ code, path }: SystemError): string | undefined {
  const what = path === undefined ? 'the data directory' : path;
  const elsewhere = 'choose another with --data-dir (WEIR_DATA_DIR)';
  if (code === 'SQLITE_BUSY' || code === 'SQLITE_LOCKED')
    return `${what} is in use by another process: stop that one or ${elsewhere}`;
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL')
    return `${what} has no room left (${code}): free some or ${elsewhere}`;
  if (!NOT_WRITABLE.some((known) => code === known || code.startsWith(`${known}_`))) return undefined;
  return `${what} cannot be written to (${code}): make it a directory this user may write to or ${elsewhere}`;
}
