// What the indexer thread is asked, and what it answers.
import type { FeedProgress } from '../search/search-feed.ts';

export type IndexerCalls = {
  readonly open: {
    readonly send: { readonly key: string; readonly documents: string; readonly search: string };
    readonly receive: FeedProgress;
  };
  readonly close: { readonly send: { readonly key: string }; readonly receive: null };
  /** Takes in a part of what is new. */
  readonly feed: { readonly send: { readonly key: string }; readonly receive: FeedProgress };
};
