// The rows of one copy as its writer sees them, with counters that are kept in step and saved by each transaction.
import type Database from 'better-sqlite3';
import type { StoredVersion } from './find-conflict.ts';

export type CopyCounters = {
  docs: number;
  /** Tombstones. */
  deleted: number;
  /** Highest sequence number applied; -1 before the first. */
  maxSeqNo: number;
  primaryTerm: number;
  /** Writes applied to this copy so far. */
  changes: number;
};

export type StoredRow = StoredVersion & { readonly doc: number; readonly routing: string | undefined };

export type NewRow = StoredVersion & {
  readonly id: string;
  readonly routing: string | undefined;
  readonly source: Buffer;
};

type FoundRow = {
  doc: number;
  version: number;
  seq_no: number;
  primary_term: number;
  deleted: number;
  routing: string | null;
};
type CountersRow = {
  docs: number;
  deleted: number;
  max_seq_no: number;
  primary_term: number;
  changes: number;
};

type RowValues = [string, string | null, number, number, number, number, number, Buffer];

export class DocumentRows {
  readonly counters: CopyCounters;
  readonly #insert: Database.Statement<RowValues>;
  readonly #update: Database.Statement<[...RowValues, number]>;
  readonly #find: Database.Statement<[string], FoundRow>;
  readonly #source: Database.Statement<[number], Buffer>;
  readonly #save: Database.Statement<[number, number, number, number, number]>;

  constructor(database: Database.Database) {
    this.#insert = database.prepare(
      `INSERT INTO documents (id, routing, version, seq_no, primary_term, deleted, change, source)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
    );
    this.#update = database.prepare(
      `UPDATE documents SET id = ?, routing = ?, version = ?, seq_no = ?, primary_term = ?, deleted = ?, change = ?, source = ?
       WHERE doc = ?`,
    );
    this.#find = database.prepare(
      'SELECT doc, version, seq_no, primary_term, deleted, routing FROM documents WHERE id = ?',
    );
    this.#source = database.prepare<[number], Buffer>('SELECT source FROM documents WHERE doc = ?').pluck();
    this.#save = database.prepare(
      'UPDATE counters SET docs = ?, deleted = ?, max_seq_no = ?, primary_term = ?, changes = ?',
    );
    const saved = database.prepare<[], CountersRow>('SELECT * FROM counters').get();
    this.counters = {
      docs: saved?.docs ?? 0,
      deleted: saved?.deleted ?? 0,
      maxSeqNo: saved?.max_seq_no ?? -1,
      primaryTerm: saved?.primary_term ?? 0,
      changes: saved?.changes ?? 0,
    };
  }

  find(id: string): StoredRow | undefined {
    const row = this.#find.get(id);
    return row === undefined
      ? undefined
      : {
          doc: row.doc,
          version: row.version,
          seqNo: row.seq_no,
          primaryTerm: row.primary_term,
          deleted: row.deleted === 1,
          routing: row.routing ?? undefined,
        };
  }

  sourceOf(row: StoredRow): Buffer {
    return this.#source.get(row.doc) ?? Buffer.alloc(0);
  }

  /** Writes an id that is believed to be new; false, and nothing done, when it is not. */
  insert(row: NewRow): boolean {
    if (this.#insert.run(...this.#values(row)).changes === 0) return false;
    this.#count(row, undefined);
    return true;
  }

  /** Writes over what `find` found. */
  replace(stored: StoredRow, row: NewRow): void {
    this.#update.run(...this.#values(row), stored.doc);
    this.#count(row, stored);
  }

  /** Part of the transaction that changed them. */
  saveCounters(): void {
    const { docs, deleted, maxSeqNo, primaryTerm, changes } = this.counters;
    this.#save.run(docs, deleted, maxSeqNo, primaryTerm, changes);
  }

  #values(row: NewRow): RowValues {
    const { id, routing, version, seqNo, primaryTerm, deleted, source } = row;
    return [
      id,
      routing ?? null,
      version,
      seqNo,
      primaryTerm,
      deleted ? 1 : 0,
      this.counters.changes + 1,
      source,
    ];
  }

  #count(row: NewRow, before: StoredRow | undefined): void {
    this.counters.changes++;
    this.counters.maxSeqNo = Math.max(this.counters.maxSeqNo, row.seqNo);
    if (before !== undefined) this.counters[before.deleted ? 'deleted' : 'docs']--;
    this.counters[row.deleted ? 'deleted' : 'docs']++;
  }
}
