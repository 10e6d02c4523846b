// The thread that reads: documents, searches and counts, on connections of its own, so that no read waits for a write.
import { parentPort } from 'node:worker_threads';
import { systemClock, systemYield } from '@weir/shared/clock';
import { WeirError } from '@weir/shared/errors';
import { runSearch } from '../search/run-search.ts';
import { openSearchToRead } from '../search/search-database.ts';
import { SearchableCopy } from '../search/searchable-copy.ts';
import { openDocumentsToRead } from '../store/documents-database.ts';
import type { ReaderCalls } from './reader-calls.ts';
import { serveCalls } from './serve-calls.ts';

/** A search that takes longer lets the reads that came meanwhile pass. */
const TURN_MS = 10;

const copies = new Map<string, SearchableCopy>();

function opened(key: string): SearchableCopy {
  const copy = copies.get(key);
  if (copy === undefined) throw new WeirError('no_shard_available', `shard copy [${key}] is not open`);
  return copy;
}

/** Made per search; also ends a search over a copy that was closed meanwhile. */
function breather(key: string): () => Promise<void> | undefined {
  let turnStartMs = systemClock.nowMs();
  return () => {
    if (systemClock.nowMs() - turnStartMs < TURN_MS) return undefined;
    return systemYield().then(() => {
      opened(key);
      turnStartMs = systemClock.nowMs();
    });
  };
}

function close(key: string): void {
  copies.get(key)?.close();
  copies.delete(key);
}

if (parentPort !== null)
  serveCalls<ReaderCalls>(
    parentPort,
    {
      open: ({ key, documents, search }) => {
        if (!copies.has(key))
          copies.set(key, new SearchableCopy(openDocumentsToRead(documents), openSearchToRead(search)));
        return null;
      },
      close: ({ key }) => {
        close(key);
        return null;
      },
      get: ({ key, ids }) => ids.map((id) => opened(key).get(id)),
      search: ({ key, ...search }) => runSearch(opened(key), search, breather(key)),
      counters: ({ key }) => opened(key).counters(),
    },
    () => {
      for (const key of copies.keys()) close(key);
    },
  );
