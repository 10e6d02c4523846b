// The SQLite file with the words of one shard copy: derived from its documents, so it may be lost; how it is opened and made anew.
import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { sqliteCode } from '../store/storage-error.ts';

/** Rises when the tables or the way texts are cut into words change: an index of another version is made anew. */
const SCHEMA_VERSION = 1;

// `indexed` is the newest change of the documents that the index has taken in, `highest_doc` the highest document number it has ever held.
// Larger and later merges than FTS5's defaults: a quarter less work per document fed, and no slower to search.
// Texts come cut into words already; what the tokenizer has to keep together is what `analyze` keeps together.
export const SCHEMA = `
  CREATE VIRTUAL TABLE words USING fts5(
    body, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_.'''"
  );
  INSERT INTO words (words, rank) VALUES ('hashsize', 4194304), ('automerge', 16), ('crisismerge', 32);
  CREATE TABLE progress (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    incarnation TEXT NOT NULL,
    indexed INTEGER NOT NULL,
    highest_doc INTEGER NOT NULL
  ) STRICT;
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

const CACHE_KIB = 8_192;
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens the file for the one that feeds it; a missing, damaged or foreign one is made anew, empty. In WAL mode synchronous NORMAL never syncs
 * for a commit and still cannot be torn by a power cut: what is lost is the newest part, which is fed again.
 */
export function openSearchToFeed(file: string, incarnation: string): Database.Database {
  try {
    const database = open(file);
    if (isCurrent(database, incarnation)) return database;
    database.close();
  } catch (thrown) {
    if (sqliteCode(thrown) === undefined) throw thrown;
  }
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  const database = open(file);
  database.transaction(() => {
    database.exec(SCHEMA);
    database.prepare('INSERT INTO progress VALUES (1, ?, 0, 0)').run(incarnation);
  })();
  return database;
}

/** Opens the file for searching beside the one that feeds it. */
export function openSearchToRead(file: string): Database.Database {
  const database = new Database(file, { timeout: BUSY_TIMEOUT_MS, readonly: true, fileMustExist: true });
  database.pragma(`cache_size = -${CACHE_KIB}`);
  return database;
}

function open(file: string): Database.Database {
  const database = new Database(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = NORMAL');
    database.pragma(`cache_size = -${CACHE_KIB}`);
    return database;
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

/** An index belongs to the very file of documents it was made from. */
function isCurrent(database: Database.Database, incarnation: string): boolean {
  if (database.pragma('user_version', { simple: true }) !== SCHEMA_VERSION) return false;
  return database.prepare<[], string>('SELECT incarnation FROM progress').pluck().get() === incarnation;
}
