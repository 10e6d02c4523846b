// What does a failure of SQLite or of the file system mean to a client?
import { WeirError } from '@weir/shared/errors';

/** After these SQLite takes back the one statement and the transaction goes on. */
const ONE_STATEMENT = ['SQLITE_CONSTRAINT', 'SQLITE_MISMATCH', 'SQLITE_RANGE', 'SQLITE_TOOBIG'];
const NO_ROOM = new Set(['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC', 'EDQUOT']);

/** A thrown value as a WeirError: `disk_full` where there is no room, otherwise `internal` with SQLite's code. */
export function storageError(thrown: unknown): WeirError {
  if (thrown instanceof WeirError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const code = errorCode(thrown);
  const text = code === undefined ? message : `${message} (${code})`;
  if (code !== undefined && NO_ROOM.has(code))
    return new WeirError('disk_full', `the data path has no room for the write: ${text}`, { cause: thrown });
  return new WeirError('internal', `storage failed: ${text}`, { cause: thrown });
}

/** Whether the whole transaction is lost, not one statement of it. */
export function breaksTransaction(thrown: unknown): boolean {
  const code = sqliteCode(thrown);
  return code !== undefined && !ONE_STATEMENT.some((prefix) => code.startsWith(prefix));
}

/** SQLite's code of an error it raised, such as SQLITE_FULL; undefined for any other error. */
export function sqliteCode(thrown: unknown): string | undefined {
  const code = errorCode(thrown);
  return code?.startsWith('SQLITE_') === true ? code : undefined;
}

function errorCode(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}
