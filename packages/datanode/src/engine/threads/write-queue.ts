// Calls to the writer in the order they came; all writes to one copy that wait together become one transaction.
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

  /** Runs everything that waits. The answers to writes are true: they are made after the commit. */
  drain(): AnswerMessage[] {
    const messages = this.#waiting;
    this.#waiting = [];
    const answers: AnswerMessage[] = [];
    const writes = new Map<string, WriteMessage[]>();
    for (const message of messages) {
      if (message.name === 'primary' || message.name === 'replica') {
        const group = writes.get(message.body.key);
        if (group === undefined) writes.set(message.body.key, [message]);
        else group.push(message);
        continue;
      }
      answers.push(...this.#writeAll(writes), this.#other(message));
    }
    return [...answers, ...this.#writeAll(writes)];
  }

  close(): void {
    for (const store of this.#stores.values()) store.close();
    this.#stores.clear();
  }

  #writeAll(writes: Map<string, WriteMessage[]>): AnswerMessage[] {
    const answers = [...writes].flatMap(([key, group]) => this.#writeGroup(key, group));
    writes.clear();
    return answers;
  }

  #writeGroup(key: string, group: readonly WriteMessage[]): AnswerMessage[] {
    const store = this.#stores.get(key);
    if (store === undefined)
      return group.map(({ number }) => answered(number, () => fail(`shard copy [${key}] is not open`)));
    const { outcomes, commitMs } = store.applyGroup(group.map(batchOf));
    const written = { changes: store.counters.changes, commitMs };
    return group.map((message, at) =>
      answered(message.number, () => answerOf(message, outcomes[at], written)),
    );
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

function batchOf(message: WriteMessage): Batch {
  const { primaryTerm } = message.body;
  return message.name === 'primary'
    ? { role: 'primary', primaryTerm, operations: unpackOperations(message.body.operations) }
    : { role: 'replica', primaryTerm, operations: unpackReplicaOperations(message.body.operations) };
}

function answerOf(message: WriteMessage, outcome: BatchOutcome | undefined, written: Written): unknown {
  if (outcome === undefined) return fail('a request was left out of its transaction');
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
