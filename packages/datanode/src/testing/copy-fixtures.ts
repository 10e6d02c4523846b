// Shard copies on real SQLite files in a temporary directory, and operations to write to them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ItemResult, Operation, ReplicaOperation } from '@weir/shared';
import { ManualClock } from '@weir/shared/testing';
import type Database from 'better-sqlite3';
import { type Batch, CopyStore } from '../engine/store/copy-store.ts';
import { openDocuments, openDocumentsToRead } from '../engine/store/documents-database.ts';
import type { AppliedOperation } from '../engine/store/write-document.ts';
import { packResults, unpackResults } from '../engine/threads/pack-results.ts';
import { indexOperation } from './requests.ts';

export const COPY = { index: 'logs', indexUuid: 'u', shard: 0 };

/** A directory that `remove` takes away with all in it. */
export function temporaryDirectory(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'weir-engine-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** An operation of any kind; what is not given is as in `indexOperation`. */
export function operation(
  kind: Operation['kind'],
  id: string,
  body: unknown = {},
  given: Partial<Operation> = {},
): Operation {
  const source = kind === 'delete' ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  return { ...indexOperation(id, source), kind, ...given };
}

/** One copy with its files, written to in this thread. */
export class TestCopy {
  readonly #directory = temporaryDirectory();
  #database: Database.Database;
  #store: CopyStore;

  constructor() {
    this.#database = this.#open(false);
    this.#store = new CopyStore(COPY, this.#database, new ManualClock());
    this.#store.raiseTerm(1);
  }

  get path(): string {
    return this.#directory.path;
  }

  get file(): string {
    return join(this.#directory.path, 'docs.db');
  }

  get store(): CopyStore {
    return this.#store;
  }

  /** The writer's own connection, to break something on it. */
  get database(): Database.Database {
    return this.#database;
  }

  reopen(): void {
    this.#store.close();
    this.#database = this.#open(true);
    this.#store = new CopyStore(COPY, this.#database, new ManualClock());
  }

  /** Applies as primary in one transaction; the results and what the replicas would get. */
  write(
    operations: readonly Operation[],
    primaryTerm = 1,
  ): { readonly results: readonly ItemResult[]; readonly replicaOperations: readonly ReplicaOperation[] } {
    return unpackResults(operations, packResults(this.#apply({ role: 'primary', primaryTerm, operations })));
  }

  /** The one result of one operation. */
  writeOne(one: Operation, primaryTerm = 1): ItemResult {
    const [result] = this.write([one], primaryTerm).results;
    if (result === undefined) throw new Error('no result');
    return result;
  }

  replicate(operations: readonly ReplicaOperation[], primaryTerm = 1): void {
    this.#apply({ role: 'replica', primaryTerm, operations });
  }

  /** Everything stored but what depends on the order of arrival. */
  state(): unknown {
    const reader = openDocumentsToRead(this.file);
    try {
      const rows = reader
        .prepare(
          `SELECT id, routing, CAST(source AS TEXT) AS source, version, seq_no, primary_term, deleted
           FROM documents ORDER BY id`,
        )
        .all();
      const counters = reader.prepare('SELECT docs, deleted, max_seq_no, primary_term FROM counters').get();
      return { rows, counters };
    } finally {
      reader.close();
    }
  }

  /** The stored bytes as text; undefined for what is not there. */
  source(id: string): string | undefined {
    const reader = openDocumentsToRead(this.file);
    try {
      return reader
        .prepare<[string], string>('SELECT CAST(source AS TEXT) FROM documents WHERE id = ? AND deleted = 0')
        .pluck()
        .get(id);
    } finally {
      reader.close();
    }
  }

  remove(): void {
    this.#store.close();
    this.#directory.remove();
  }

  /** The name of this very file of documents, which its text index keeps. */
  incarnation(): string {
    const text = this.#database.prepare<[], string>('SELECT incarnation FROM counters').pluck().get();
    return text ?? '';
  }

  /** As a node opens it, but for the sync: what survives a power cut is not what is tested with it. */
  #open(mustExist: boolean): Database.Database {
    const database = openDocuments(this.file, mustExist);
    database.pragma('synchronous = OFF');
    return database;
  }

  #apply(batch: Batch): readonly AppliedOperation[] {
    const [outcome] = this.#store.applyGroup([batch]).outcomes;
    if (outcome === undefined) throw new Error('no outcome');
    if (!outcome.ok) throw outcome.error;
    return outcome.applied;
  }
}
