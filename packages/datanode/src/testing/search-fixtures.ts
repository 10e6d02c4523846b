// A shard copy with its text index, fed and searched in this thread.
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { checkSearch } from '../engine/search/check-search.ts';
import { type Found, runSearch } from '../engine/search/run-search.ts';
import { openSearchToFeed, openSearchToRead } from '../engine/search/search-database.ts';
import { type FeedProgress, SearchFeed } from '../engine/search/search-feed.ts';
import { SearchableCopy } from '../engine/search/searchable-copy.ts';
import { openDocumentsToRead } from '../engine/store/documents-database.ts';
import { operation, TestCopy } from './copy-fixtures.ts';

export class SearchedCopy {
  readonly copy = new TestCopy();
  #documents: Database.Database;
  #search: Database.Database;
  #feed: SearchFeed;
  #reader: SearchableCopy;

  constructor() {
    this.#documents = openDocumentsToRead(this.copy.file);
    this.#search = openSearchToFeed(this.file, this.copy.incarnation());
    this.#feed = new SearchFeed(this.#documents, this.#search);
    this.#reader = this.#open();
  }

  get file(): string {
    return join(this.copy.path, 'search.db');
  }

  get feed(): SearchFeed {
    return this.#feed;
  }

  get reader(): SearchableCopy {
    return this.#reader;
  }

  /** Writes documents by id and makes them searchable. */
  index(documents: Readonly<Record<string, unknown>>): void {
    this.copy.write(Object.entries(documents).map(([id, body]) => operation('index', id, body)));
    this.refresh();
  }

  refresh(): FeedProgress {
    let progress = this.#feed.run();
    while (progress.indexed < this.copy.store.counters.changes) progress = this.#feed.run();
    return progress;
  }

  /** Closes and opens the index, as a restart does; `change` runs in between. */
  reopenIndex(change: () => void = () => {}): void {
    this.#closeIndex();
    change();
    this.#documents = openDocumentsToRead(this.copy.file);
    this.#search = openSearchToFeed(this.file, this.copy.incarnation());
    this.#feed = new SearchFeed(this.#documents, this.#search);
    this.#reader = this.#open();
  }

  find(query: unknown, sort?: unknown, size = 10_000): Promise<Found> {
    const search = checkSearch({ query, from: 0, size, sort, trackTotalHits: true });
    return runSearch(this.#reader, search, () => undefined);
  }

  /** Ids of the hits in their order. */
  async ids(query: unknown, sort?: unknown, size?: number): Promise<readonly string[]> {
    return (await this.find(query, sort, size)).hits.map(({ row }) => row.id);
  }

  remove(): void {
    this.#closeIndex();
    this.copy.remove();
  }

  #open(): SearchableCopy {
    return new SearchableCopy(openDocumentsToRead(this.copy.file), openSearchToRead(this.file));
  }

  #closeIndex(): void {
    this.#reader.close();
    this.#search.close();
    this.#documents.close();
  }
}
