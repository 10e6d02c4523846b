// Brings the words of one copy's newest documents into its text index, in the order the copy applied its writes.
import type Database from 'better-sqlite3';
import { indexText } from './index-text.ts';
import { leafTexts } from './json-values.ts';
import { takeUpTo } from './take-up-to.ts';

/** Documents read at a time: a read that stays open would keep the writer's log from being reused. */
const READ_AT_ONCE = 256;
const MAX_BYTES_AT_ONCE = 1024 ** 2;
/** Documents of one transaction: FTS5 writes a segment for each and has many small ones to merge; others wait their turn for a tenth of a second. */
const MAX_PER_RUN = 2_048;
const MAX_BYTES_PER_RUN = 8 * 1024 ** 2;

type ChangedRow = { doc: number; deleted: number; change: number; source: Buffer };

/** Newest change that the index has. */
export type FeedProgress = { readonly indexed: number };

export class SearchFeed {
  readonly #search: Database.Database;
  readonly #changed: Database.Statement<[number, number], ChangedRow>;
  readonly #add: Database.Statement<[number, string]>;
  readonly #remove: Database.Statement<[number]>;
  readonly #save: Database.Statement<[number, number]>;
  #indexed: number;
  #highestDoc: number;

  constructor(documents: Database.Database, search: Database.Database) {
    this.#search = search;
    this.#changed = documents.prepare(
      'SELECT doc, deleted, change, source FROM documents WHERE change > ? ORDER BY change LIMIT ?',
    );
    this.#add = search.prepare('INSERT INTO words (rowid, body) VALUES (?, ?)');
    this.#remove = search.prepare('DELETE FROM words WHERE rowid = ?');
    this.#save = search.prepare('UPDATE progress SET indexed = ?, highest_doc = ?');
    const saved = search
      .prepare<[], { indexed: number; highest_doc: number }>('SELECT indexed, highest_doc FROM progress')
      .get();
    this.#indexed = saved?.indexed ?? 0;
    this.#highestDoc = saved?.highest_doc ?? 0;
  }

  /** Newest change that the index has. */
  get indexed(): number {
    return this.#indexed;
  }

  /** Takes in what is new, up to enough for one run. */
  run(): FeedProgress {
    const before = { indexed: this.#indexed, highestDoc: this.#highestDoc };
    try {
      this.#search.transaction(() => this.#takeIn())();
      return { indexed: this.#indexed };
    } catch (thrown) {
      this.#indexed = before.indexed;
      this.#highestDoc = before.highestDoc;
      throw thrown;
    }
  }

  #takeIn(): void {
    let bytes = 0;
    for (let taken = 0; taken < MAX_PER_RUN && bytes < MAX_BYTES_PER_RUN; ) {
      const rows = takeUpTo(this.#changed.iterate(this.#indexed, READ_AT_ONCE), MAX_BYTES_AT_ONCE);
      if (rows.length === 0) break;
      for (const row of rows) this.#take(row);
      taken += rows.length;
      for (const { source } of rows) bytes += source.length;
    }
    this.#save.run(this.#indexed, this.#highestDoc);
  }

  #take({ doc, deleted, change, source }: ChangedRow): void {
    // A document number beyond all before was never in the index.
    if (doc <= this.#highestDoc) this.#remove.run(doc);
    if (deleted === 0) this.#add.run(doc, wordsOf(source));
    this.#indexed = change;
    this.#highestDoc = Math.max(this.#highestDoc, doc);
  }
}

function wordsOf(source: Buffer): string {
  return indexText(leafTexts(JSON.parse(source.toString())).join('\n'));
}
