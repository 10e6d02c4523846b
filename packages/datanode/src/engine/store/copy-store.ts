// The writer's side of one shard copy: everything that waits becomes one transaction, and each request in it stands or falls alone.
import type { Operation, ReplicaOperation } from '@weir/shared';
import type { Clock } from '@weir/shared/clock';
import { WeirError } from '@weir/shared/errors';
import type Database from 'better-sqlite3';
import type { CopyRef } from '../engine.ts';
import { applyOperation } from './apply-operation.ts';
import { applyReplicaOperation } from './apply-replica.ts';
import { type CopyCounters, DocumentRows } from './document-rows.ts';
import { breaksTransaction, storageError } from './storage-error.ts';
import type { AppliedOperation } from './write-document.ts';

/** The operations of one request, in either role. */
export type Batch =
  | {
      readonly role: 'primary';
      readonly primaryTerm: number;
      readonly operations: readonly Operation[];
    }
  | {
      readonly role: 'replica';
      readonly primaryTerm: number;
      readonly operations: readonly ReplicaOperation[];
    };

/** What became of a batch: its items (a replica's batch has none), or why none of it happened. */
export type BatchOutcome =
  | { readonly ok: true; readonly applied: readonly AppliedOperation[] }
  | { readonly ok: false; readonly error: WeirError };

export class CopyStore {
  readonly #copy: CopyRef;
  readonly #database: Database.Database;
  readonly #clock: Clock;
  readonly #rows: DocumentRows;
  readonly #run: (
    statement: 'begin' | 'commit' | 'rollback' | 'savepoint' | 'release' | 'rollbackTo',
  ) => void;

  constructor(copy: CopyRef, database: Database.Database, clock: Clock) {
    this.#copy = copy;
    this.#database = database;
    this.#clock = clock;
    this.#rows = new DocumentRows(database);
    const statements = {
      begin: database.prepare('BEGIN IMMEDIATE'),
      commit: database.prepare('COMMIT'),
      rollback: database.prepare('ROLLBACK'),
      savepoint: database.prepare('SAVEPOINT batch'),
      release: database.prepare('RELEASE batch'),
      rollbackTo: database.prepare('ROLLBACK TO batch'),
    };
    this.#run = (statement) => void statements[statement].run();
  }

  get counters(): Readonly<CopyCounters> {
    return this.#rows.counters;
  }

  /** Learns of a newer primary; older ones are refused from now on. */
  raiseTerm(primaryTerm: number): void {
    if (primaryTerm <= this.#rows.counters.primaryTerm) return;
    this.#database.transaction(() => {
      this.#rows.counters.primaryTerm = primaryTerm;
      this.#rows.saveCounters();
    })();
  }

  /**
   * Applies all batches in one transaction, taking one after the other until there is none. When it returns, every batch with `ok` is on disk
   * and no other has left a trace; a failure of the storage is the outcome of all that were taken, and of the first where none could be.
   * `commitMs` is the time of the commit alone; undefined when there was nothing to commit.
   */
  applyGroup(batches: Iterable<Batch>): {
    readonly outcomes: readonly BatchOutcome[];
    readonly commitMs: number | undefined;
  } {
    const before = { ...this.#rows.counters };
    const outcomes: BatchOutcome[] = [];
    let taken = 0;
    try {
      this.#run('begin');
      for (const batch of batches) {
        taken += 1;
        outcomes.push(this.#applyAlone(batch));
      }
      const changed = hasChanged(before, this.#rows.counters);
      if (changed) this.#rows.saveCounters();
      const startMs = this.#clock.nowMs();
      this.#run('commit');
      return { outcomes, commitMs: changed ? this.#clock.nowMs() - startMs : undefined };
    } catch (thrown) {
      Object.assign(this.#rows.counters, before);
      // After a full disk or an I/O error SQLite may have rolled back by itself.
      if (this.#database.inTransaction) this.#run('rollback');
      const failed = { ok: false, error: storageError(thrown) } as const;
      return { outcomes: new Array(Math.max(1, taken)).fill(failed), commitMs: undefined };
    }
  }

  close(): void {
    this.#database.close();
  }

  #applyAlone(batch: Batch): BatchOutcome {
    const before = { ...this.#rows.counters };
    this.#run('savepoint');
    try {
      const applied = this.#apply(batch);
      this.#run('release');
      return { ok: true, applied };
    } catch (thrown) {
      if (breaksTransaction(thrown)) throw thrown;
      this.#run('rollbackTo');
      this.#run('release');
      Object.assign(this.#rows.counters, before);
      return { ok: false, error: storageError(thrown) };
    }
  }

  #apply(batch: Batch): readonly AppliedOperation[] {
    this.#fence(batch.primaryTerm);
    if (batch.role === 'replica') {
      for (const operation of batch.operations) applyReplicaOperation(operation, this.#rows);
      return [];
    }
    const target = { copy: this.#copy, rows: this.#rows };
    return batch.operations.map((operation) => applyOperation(operation, target));
  }

  #fence(primaryTerm: number): void {
    const known = this.#rows.counters.primaryTerm;
    if (primaryTerm < known)
      throw new WeirError(
        'version_conflict',
        `[${this.#copy.index}][${this.#copy.shard}]: operation primary term [${primaryTerm}] is too old (current [${known}])`,
      );
    this.#rows.counters.primaryTerm = primaryTerm;
  }
}

/** Without a change there is nothing to sync: requests that only fail cost no disk. */
function hasChanged(before: CopyCounters, after: CopyCounters): boolean {
  const names = ['changes', 'maxSeqNo', 'primaryTerm'] as const;
  return names.some((name) => before[name] !== after[name]);
}
