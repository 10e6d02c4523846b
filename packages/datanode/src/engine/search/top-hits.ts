// The best few of many hits, with what is needed to order them and nothing else.
import { compareSortValues, type SortKey, type SortValue } from '@weir/shared/documents';

export type Hit = { readonly doc: number; readonly score: number; readonly sort: readonly SortValue[] };

export class TopHits {
  readonly #limit: number;
  readonly #keys: readonly SortKey[];
  #hits: Hit[] = [];
  #total = 0;
  #maxScore: number | null = null;

  constructor(limit: number, keys: readonly SortKey[]) {
    this.#limit = limit;
    this.#keys = keys;
  }

  add(hit: Hit): void {
    this.#total++;
    this.#maxScore = Math.max(this.#maxScore ?? hit.score, hit.score);
    if (this.#limit === 0) return;
    this.#hits.push(hit);
    // Sorting twice the limit once in a while costs less than keeping order at every hit.
    if (this.#hits.length >= 2 * this.#limit + 1_024) this.#cut();
  }

  get total(): number {
    return this.#total;
  }

  get maxScore(): number | null {
    return this.#maxScore;
  }

  /** Best first; equal ones in the order of their documents. */
  best(): readonly Hit[] {
    this.#cut();
    return this.#hits;
  }

  #cut(): void {
    this.#hits.sort((a, b) => compareSortValues(this.#keys, a.sort, b.sort) || a.doc - b.doc);
    this.#hits.length = Math.min(this.#hits.length, this.#limit);
  }
}
