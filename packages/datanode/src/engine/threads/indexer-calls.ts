// What the indexer thread is asked, and what it answers.
import type { FeedProgress } from '../search/search-feed.ts';

export type IndexerCalls = {
  readonly open: {
    readonly send: { readonly key: string; readonly documents: string; readonly search: string };
    readonly receive: { readonly indexed: number };
  };
  readonly close: { readonly send: { readonly key: string }; readonly receive: null };
  /** `yielding`: stop early while writes wait. */
  readonly feed: {
    readonly send: { readonly key: string; readonly yielding: boolean };
    readonly receive: FeedProgress;
  };
};

/** What the thread is started with: how many writes wait, counted by the main thread. */
export type IndexerData = { readonly writesWaiting: Int32Array };
