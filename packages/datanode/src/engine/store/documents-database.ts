// The SQLite file that holds the documents of one shard copy: how it is opened, and its tables.
import { WeirError } from '@weir/shared/errors';
import Database from 'better-sqlite3';

/** Version of the tables below; a file of another one is not touched. */
const SCHEMA_VERSION = 1;

// `doc` stays with an id as long as the copy lives; the search index knows documents by it.
// `change` numbers the writes in the order this copy applied them, which on a replica is not the order of `seq_no`.
const SCHEMA = `
  CREATE TABLE documents (
    doc INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    routing TEXT,
    version INTEGER NOT NULL,
    seq_no INTEGER NOT NULL,
    primary_term INTEGER NOT NULL,
    deleted INTEGER NOT NULL,
    change INTEGER NOT NULL UNIQUE,
    source BLOB NOT NULL
  ) STRICT;
  CREATE TABLE counters (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    docs INTEGER NOT NULL,
    deleted INTEGER NOT NULL,
    max_seq_no INTEGER NOT NULL,
    primary_term INTEGER NOT NULL,
    changes INTEGER NOT NULL,
    incarnation TEXT NOT NULL
  ) STRICT;
  INSERT INTO counters VALUES (1, 0, 0, -1, 0, 0, lower(hex(randomblob(16))));
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** Three documents of 1 KB to a page of 4 KiB leave a fifth of it empty; at 8 KiB a bulk is a tenth faster and a single write no slower. */
const PAGE_BYTES = 8_192;
/** 8 MiB of log before it is copied into the file: a log that stays this short keeps its blocks, so that a sync does not have to grow the file. */
const CHECKPOINT_PAGES = 1_000;
/** A page cache is per copy and connection: a node with a hundred copies must not hold gigabytes of them. */
const CACHE_KIB = 8_192;
/** Readers meet a lock only while the log is being recovered. */
const BUSY_TIMEOUT_MS = 5_000;

/** Opens the file for its one writer, made anew where it does not exist and need not. Every commit is synced to disk. */
export function openDocuments(file: string, mustExist: boolean): Database.Database {
  const database = new Database(file, { timeout: BUSY_TIMEOUT_MS, fileMustExist: mustExist });
  try {
    database.pragma(`page_size = ${PAGE_BYTES}`);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    database.pragma(`cache_size = -${CACHE_KIB}`);
    prepareSchema(database, file);
    return database;
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

/** Opens the file for reading beside its writer. No mmap: a disk error on a mapped page would end the process instead of one request. */
export function openDocumentsToRead(file: string): Database.Database {
  const database = new Database(file, { timeout: BUSY_TIMEOUT_MS, readonly: true, fileMustExist: true });
  database.pragma(`cache_size = -${CACHE_KIB}`);
  return database;
}

function prepareSchema(database: Database.Database, file: string): void {
  const version = database.pragma('user_version', { simple: true });
  if (version === SCHEMA_VERSION) return;
  if (version !== 0)
    throw new WeirError(
      'config',
      `[${file}] has schema version [${String(version)}], this program reads version [${SCHEMA_VERSION}]`,
    );
  database.transaction(() => database.exec(SCHEMA)).immediate();
}
