// One shard copy as its reader sees it: documents by id, number or in order, and what the text index finds.
import type Database from 'better-sqlite3';
import type { Match } from './plan-search.ts';
import { takeUpTo } from './take-up-to.ts';

export type CandidateRow = { readonly doc: number; readonly id: string; readonly source: Buffer };
export type HitRow = { readonly id: string; readonly routing: string | null; readonly source: Buffer };
export type DocumentRow = HitRow & {
  readonly version: number;
  readonly seq_no: number;
  readonly primary_term: number;
};
export type ScoredDoc = readonly [doc: number, score: number];
export type CountersRow = {
  readonly docs: number;
  readonly deleted: number;
  readonly max_seq_no: number;
  readonly primary_term: number;
};

/** Documents of a megabyte each are not to be in memory by the hundred. */
const MAX_BYTES_AT_ONCE = 1024 ** 2;

export class SearchableCopy {
  readonly #documents: Database.Database;
  readonly #search: Database.Database;
  readonly #byId: Database.Statement<[string], DocumentRow>;
  readonly #candidateById: Database.Statement<[string], CandidateRow>;
  readonly #candidateByDoc: Database.Statement<[number], CandidateRow>;
  readonly #firstDocs: Database.Statement<[number], number>;
  readonly #after: Database.Statement<[number, number], CandidateRow>;
  readonly #hit: Database.Statement<[number], HitRow>;
  readonly #counters: Database.Statement<[], CountersRow>;
  readonly #find: Database.Statement<[Match], [number]>;
  readonly #findScored: Database.Statement<[Match], ScoredDoc>;

  constructor(documents: Database.Database, search: Database.Database) {
    this.#documents = documents;
    this.#search = search;
    this.#byId = documents.prepare(
      'SELECT id, routing, source, version, seq_no, primary_term FROM documents WHERE id = ? AND deleted = 0',
    );
    this.#candidateById = documents.prepare(
      'SELECT doc, id, source FROM documents WHERE id = ? AND deleted = 0',
    );
    this.#candidateByDoc = documents.prepare(
      'SELECT doc, id, source FROM documents WHERE doc = ? AND deleted = 0',
    );
    this.#firstDocs = documents
      .prepare<[number], number>('SELECT doc FROM documents WHERE deleted = 0 ORDER BY doc LIMIT ?')
      .pluck();
    this.#after = documents.prepare(
      'SELECT doc, id, source FROM documents WHERE doc > ? AND deleted = 0 ORDER BY doc LIMIT ?',
    );
    this.#hit = documents.prepare('SELECT id, routing, source FROM documents WHERE doc = ? AND deleted = 0');
    this.#counters = documents.prepare('SELECT docs, deleted, max_seq_no, primary_term FROM counters');
    this.#find = search.prepare<[Match], [number]>('SELECT rowid FROM words WHERE words MATCH ?').raw();
    // bm25() is smaller for better.
    this.#findScored = search
      .prepare<[Match], ScoredDoc>('SELECT rowid, -bm25(words) FROM words WHERE words MATCH ?')
      .raw();
  }

  /** The document as it is now. */
  get(id: string): DocumentRow | undefined {
    return this.#byId.get(id);
  }

  candidateById(id: string): CandidateRow | undefined {
    return this.#candidateById.get(id);
  }

  candidateByDoc(doc: number): CandidateRow | undefined {
    return this.#candidateByDoc.get(doc);
  }

  /** Numbers of the first documents in order. */
  firstDocs(limit: number): readonly number[] {
    return this.#firstDocs.all(limit);
  }

  /** The next documents with higher numbers than `doc`, in order: up to `limit`, fewer where they are large, none after the last. */
  after(doc: number, limit: number): readonly CandidateRow[] {
    return takeUpTo(this.#after.iterate(doc, limit), MAX_BYTES_AT_ONCE);
  }

  hit(doc: number): HitRow | undefined {
    return this.#hit.get(doc);
  }

  counters(): CountersRow {
    return this.#counters.get() ?? { docs: 0, deleted: 0, max_seq_no: -1, primary_term: 0 };
  }

  /** Numbers of the documents that the text index finds. */
  find(match: Match): readonly number[] {
    return this.#find.all(match).map(([doc]) => doc);
  }

  findScored(match: Match): readonly ScoredDoc[] {
    return this.#findScored.all(match);
  }

  close(): void {
    this.#documents.close();
    this.#search.close();
  }
}
