// Starts the engine's three threads, and ends them in the order their files need.
import type { WeirError } from '@weir/shared/errors';
import type { IndexerCalls, IndexerData } from './indexer-calls.ts';
import type { ReaderCalls } from './reader-calls.ts';
import { ThreadClient } from './thread-client.ts';
import type { WriterCalls } from './writer-calls.ts';

export class EngineThreads {
  readonly writer: ThreadClient<WriterCalls>;
  readonly reader: ThreadClient<ReaderCalls>;
  readonly indexer: ThreadClient<IndexerCalls>;
  /** How many writes wait or run; the indexer looks at it too. */
  readonly #writesWaiting = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

  constructor() {
    const indexerData: IndexerData = { writesWaiting: this.#writesWaiting };
    this.writer = new ThreadClient('writer', threadFile('writer'), undefined);
    this.reader = new ThreadClient('reader', threadFile('reader'), undefined);
    this.indexer = new ThreadClient('indexer', threadFile('indexer'), indexerData);
  }

  /** Why the engine has stopped working; undefined while all threads live. */
  get failure(): WeirError | undefined {
    return this.writer.failure ?? this.reader.failure ?? this.indexer.failure;
  }

  /** Counts a write as waiting as long as it runs. */
  async write<T>(run: () => Promise<T>): Promise<T> {
    Atomics.add(this.#writesWaiting, 0, 1);
    try {
      return await run();
    } finally {
      Atomics.sub(this.#writesWaiting, 0, 1);
    }
  }

  /** The writer is last: its last close copies the log into the file and removes it. */
  async close(): Promise<void> {
    await Promise.all([this.reader.close(), this.indexer.close()]);
    await this.writer.close();
  }
}

/** Threads run built code, also where a test loads these sources as they are. */
function threadFile(name: string): URL {
  const here = import.meta.url;
  const folder = here.endsWith('.ts') ? '../../../dist/engine/threads/' : './';
  return new URL(`${folder}${name}-worker.js`, here);
}
