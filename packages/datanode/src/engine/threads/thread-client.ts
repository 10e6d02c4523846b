// The main thread's end of one engine thread: sends calls, gives each its answer, and fails them all when the thread is gone.

import { type TransferListItem, Worker } from 'node:worker_threads';
import { WeirError } from '@weir/shared/errors';
import { type AnswerMessage, type Calls, fromErrorMessage } from './call-types.ts';

type Waiting = { readonly resolve: (body: unknown) => void; readonly reject: (error: WeirError) => void };

export class ThreadClient<C extends Calls> {
  readonly #name: string;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ended: Promise<void>;
  #number = 0;
  #failure: WeirError | undefined;

  constructor(name: string, file: URL) {
    this.#name = name;
    this.#worker = new Worker(file, { name: `weir-${name}` });
    this.#worker.on('message', (answers: readonly AnswerMessage[]) => {
      for (const answer of answers) this.#settle(answer);
    });
    this.#worker.on('error', (cause) => this.#fail(`failed: ${cause.message}`, cause));
    this.#ended = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#fail('has ended');
        resolve();
      });
    });
  }

  /** Why the thread takes no calls any more; undefined while it lives. */
  get failure(): WeirError | undefined {
    return this.#failure;
  }

  call<Name extends keyof C & string>(
    name: Name,
    body: C[Name]['send'],
    transfer: readonly TransferListItem[] = [],
  ): Promise<C[Name]['receive']> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const number = ++this.#number;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#worker.postMessage({ number, name, body }, transfer);
    });
  }

  /** Resolves once the thread has closed its files and ended. */
  async close(): Promise<void> {
    // null is the order to end; it is taken after all calls sent before it.
    if (this.#failure === undefined) this.#worker.postMessage(null);
    await this.#ended;
  }

  #settle(answer: AnswerMessage): void {
    const waiting = this.#waiting.get(answer.number);
    this.#waiting.delete(answer.number);
    if (answer.ok) waiting?.resolve(answer.body);
    else waiting?.reject(fromErrorMessage(answer.error));
  }

  #fail(what: string, cause?: unknown): void {
    this.#failure ??= new WeirError('unavailable', `the engine's ${this.#name} thread ${what}`, { cause });
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }
}
