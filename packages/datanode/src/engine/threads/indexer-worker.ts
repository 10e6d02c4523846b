// The thread that feeds the text indexes: apart from writer and reader, so that neither waits for it.
import { parentPort } from 'node:worker_threads';
import { WeirError } from '@weir/shared/errors';
import type Database from 'better-sqlite3';
import { openSearchToFeed } from '../search/search-database.ts';
import { SearchFeed } from '../search/search-feed.ts';
import { openDocumentsToRead } from '../store/documents-database.ts';
import type { IndexerCalls } from './indexer-calls.ts';
import { serveCalls } from './serve-calls.ts';

type OpenFeed = { readonly feed: SearchFeed; readonly databases: readonly Database.Database[] };

const feeds = new Map<string, OpenFeed>();

function open(documentsFile: string, searchFile: string): OpenFeed {
  const documents = openDocumentsToRead(documentsFile);
  try {
    const incarnation = documents.prepare<[], string>('SELECT incarnation FROM counters').pluck().get() ?? '';
    const search = openSearchToFeed(searchFile, incarnation);
    return { feed: new SearchFeed(documents, search), databases: [documents, search] };
  } catch (thrown) {
    documents.close();
    throw thrown;
  }
}

function close(key: string): void {
  for (const database of feeds.get(key)?.databases ?? []) database.close();
  feeds.delete(key);
}

if (parentPort !== null)
  serveCalls<IndexerCalls>(
    parentPort,
    {
      open: ({ key, documents, search }) => {
        const opened = feeds.get(key) ?? open(documents, search);
        feeds.set(key, opened);
        return { indexed: opened.feed.indexed };
      },
      close: ({ key }) => {
        close(key);
        return null;
      },
      feed: ({ key }) => {
        const opened = feeds.get(key);
        if (opened === undefined)
          throw new WeirError('no_shard_available', `shard copy [${key}] is not open`);
        return opened.feed.run();
      },
    },
    () => {
      for (const key of feeds.keys()) close(key);
    },
  );
