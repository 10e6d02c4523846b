// Starts the engine's three threads, and ends them in the order their files need.
import type { WeirError } from '@weir/shared/errors';
import type { IndexerCalls } from './indexer-calls.ts';
import type { ReaderCalls } from './reader-calls.ts';
import { ThreadClient } from './thread-client.ts';
import type { WriterCalls } from './writer-calls.ts';

export class EngineThreads {
  readonly writer = new ThreadClient<WriterCalls>('writer', threadFile('writer'));
  readonly reader = new ThreadClient<ReaderCalls>('reader', threadFile('reader'));
  readonly indexer = new ThreadClient<IndexerCalls>('indexer', threadFile('indexer'));

  /** Why the engine has stopped working; undefined while all threads live. */
  get failure(): WeirError | undefined {
    return this.writer.failure ?? this.reader.failure ?? this.indexer.failure;
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
