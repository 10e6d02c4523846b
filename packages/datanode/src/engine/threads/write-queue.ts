// Calls to the writer in the order they came; writes to one copy that wait together become one transaction, up to a length in time.
import type { Clock } from '@weir/shared/clock';
import { WeirError } from '@weir/shared/errors';
import { type Batch, type BatchOutcome, CopyStore } from '../store/copy-store.ts';
import { openDocuments } from '../store/documents-database.ts';
import { storageError } from '../store/storage-error.ts';
import { type AnswerMessage, type CallMessage, toErrorMessage } from './call-types.ts';
import { unpackOperations } from './pack-operations.ts';
import { unpackReplicaOperations } from './pack-replica-operations.ts';
import { packResults } from './pack-results.ts';
import type { WriterCalls, Written } from './writer-calls.ts';

type WriterMessage = CallMessage<WriterCalls>;
type WriteMessage = CallMessage<WriterCalls, 'primary' | 'replica'>;
type OtherMessage = CallMessage<WriterCalls, 'open' | 'close'>;

/**
 * After so long a transaction takes in no more: its first write waits for its last one, and under load, when a transaction takes as long as the
 * one before it gathered, writes would wait twice for all that is queued. A sync of some milliseconds weighs little beside it.
 */
const TRANSACTION_MS = 100;

export class WriteQueue {
  readonly #clock: Clock;
  readonly #stores = new Map<string, CopyStore>();
  #waiting: WriterMessage[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  push(message: WriterMessage): void {
    this.#waiting.push(message);
  }

  /** Whether nothing waits. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /**
   * Runs what comes next: one call, or the writes to one copy that wait together, as many as one transaction takes in. The answers to writes
   * are true: they are made after the commit.
   */
  step(): AnswerMessage[] {
    const [next] = this.#waiting;
    if (next === undefined) return [];
    if (!isWrite(next)) {
      this.#waiting.shift();
      return [this.#other(next)];
    }
    const group = this.#writesTo(next.body.key);
    const answers = this.#writeGroup(next.body.key, group);
    const done = new Set<WriterMessage>(group.slice(0, answers.length));
    this.#waiting = this.#waiting.filter((message) => !done.has(message));
    return answers;
  }

  close(): void {
    for (const store of this.#stores.values()) store.close();
    this.#stores.clear();
  }

  /** Those before the next opening or closing of any copy: behind it the copy may be another one. */
  #writesTo(key: string): readonly WriteMessage[] {
    const barrier = this.#waiting.findIndex((message) => !isWrite(message));
    const reachable = barrier < 0 ? this.#waiting : this.#waiting.slice(0, barrier);
    return reachable.filter(isWrite).filter(({ body }) => body.key === key);
  }

  /** Answers of those that were taken into the transaction, the first ones of the group. */
  #writeGroup(key: string, group: readonly WriteMessage[]): AnswerMessage[] {
    const store = this.#stores.get(key);
    if (store === undefined)
      return group.map(({ number }) => answered(number, () => fail(`shard copy [${key}] is not open`)));
    const { outcomes, commitMs } = store.applyGroup(this.#batches(group));
    const written = { changes: store.counters.changes, commitMs };
    return outcomes.map((outcome, at) => {
      const message = group[at];
      if (message === undefined) throw new RangeError('more outcomes than requests');
      return answered(message.number, () => answerOf(message, outcome, written));
    });
  }

  *#batches(group: readonly WriteMessage[]): Generator<Batch> {
    const startMs = this.#clock.nowMs();
    for (const message of group) {
      yield batchOf(message);
      if (this.#clock.nowMs() - startMs >= TRANSACTION_MS) return;
    }
  }

  #other(message: OtherMessage): AnswerMessage {
    return answered(message.number, () => {
      if (message.name === 'open') return this.#open(message.body);
      this.#stores.get(message.body.key)?.close();
      this.#stores.delete(message.body.key);
      return null;
    });
  }

  #open(body: WriterCalls['open']['send']): WriterCalls['open']['receive'] {
    const { key, copy, file, mustExist, primaryTerm } = body;
    const store = this.#stores.get(key) ?? new CopyStore(copy, openDocuments(file, mustExist), this.#clock);
    this.#stores.set(key, store);
    store.raiseTerm(primaryTerm);
    return { changes: store.counters.changes };
  }
}

function isWrite(message: WriterMessage): message is WriteMessage {
  return message.name === 'primary' || message.name === 'replica';
}

function batchOf(message: WriteMessage): Batch {
  const { primaryTerm } = message.body;
  return message.name === 'primary'
    ? { role: 'primary', primaryTerm, operations: unpackOperations(message.body.operations) }
    : { role: 'replica', primaryTerm, operations: unpackReplicaOperations(message.body.operations) };
}

function answerOf(message: WriteMessage, outcome: BatchOutcome, written: Written): unknown {
  if (!outcome.ok) throw outcome.error;
  return message.name === 'primary' ? { ...written, results: packResults(outcome.applied) } : written;
}

function answered(number: number, run: () => unknown): AnswerMessage {
  try {
    return { number, ok: true, body: run() };
  } catch (thrown) {
    return { number, ok: false, error: toErrorMessage(storageError(thrown)) };
  }
}

function fail(message: string): never {
  throw new WeirError('internal', message);
}
