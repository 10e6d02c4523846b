// Answers one search over one copy: finds candidates, looks at each where it must, keeps the best.
import type { SortKey, SortValue } from '@weir/shared/documents';
import { DocumentView } from './document-view.ts';
import { evaluate } from './evaluate.ts';
import { type Match, planSearch, type SearchPlan } from './plan-search.ts';
import { fieldNamed, type Query } from './query.ts';
import type { CandidateRow, HitRow, SearchableCopy } from './searchable-copy.ts';
import { sortValueOf } from './sort-values.ts';
import { type Hit, TopHits } from './top-hits.ts';

/** A checked search; `limit` is how many hits are wanted from the first on. */
export type CopySearch = {
  readonly query: Query;
  readonly keys: readonly SortKey[];
  readonly limit: number;
};

type FoundHit = {
  readonly row: HitRow;
  readonly score: number | null;
  readonly sort: readonly SortValue[];
};
export type Found = {
  readonly total: number;
  readonly maxScore: number | null;
  readonly hits: readonly FoundHit[];
};

/** Called often; resolves when it is this search's turn again. */
export type Breathe = () => Promise<void> | undefined;

const SCAN_AT_ONCE = 256;
const NEED_NO_SOURCE = new Set(['_score', '_doc']);

export async function runSearch(copy: SearchableCopy, search: CopySearch, breathe: Breathe): Promise<Found> {
  const { query, keys, limit } = search;
  const plan = planSearch(query);
  if (query.kind === 'all' && keys.every(isDocumentOrder)) return firstOfAll(copy, keys, limit);
  if (plan.exact && plan.candidates !== undefined && keys.every(({ field }) => NEED_NO_SOURCE.has(field)))
    return unread(copy, search, plan, plan.candidates);
  const top = new TopHits(limit, keys);
  const scores = scoresOf(copy, plan, search);
  for (const { doc, id, source } of candidates(copy, plan)) {
    const turn = breathe();
    if (turn !== undefined) await turn;
    const view = new DocumentView(id, source);
    const constant = evaluate(query, view);
    if (constant === undefined) continue;
    const score = constant + (scores?.get(doc) ?? 0);
    top.add({ doc, score, sort: sortOf(keys, doc, score, view) });
  }
  return foundOf(copy, top, keys);
}

/** What the index finds is the answer: only the best are read at all. */
function unread(copy: SearchableCopy, search: CopySearch, plan: SearchPlan, candidates: Match): Found {
  const { keys, limit } = search;
  const top = new TopHits(limit, keys);
  const scores = scoresOf(copy, plan, search);
  for (const [doc, score] of scores ?? copy.find(candidates).map((found) => [found, 1] as const))
    top.add({ doc, score, sort: sortOf(keys, doc, score, undefined) });
  return foundOf(copy, top, keys);
}

/** All documents need no looking at: their number is kept with them. */
function firstOfAll(copy: SearchableCopy, keys: readonly SortKey[], limit: number): Found {
  const top = new TopHits(limit, keys);
  for (const doc of copy.firstDocs(limit)) top.add({ doc, score: 1, sort: sortOf(keys, doc, 1, undefined) });
  const { docs } = copy.counters();
  return { ...foundOf(copy, top, keys), total: docs };
}

/** Read one by one or few at a time: no search holds all of its candidates, or keeps a read open while others have their turn. */
function* candidates(copy: SearchableCopy, plan: SearchPlan): Generator<CandidateRow> {
  if (plan.ids !== undefined) yield* each(plan.ids, (id) => copy.candidateById(id));
  else if (plan.candidates !== undefined)
    yield* each(copy.find(plan.candidates), (doc) => copy.candidateByDoc(doc));
  else yield* scan(copy);
}

function* each<Key>(
  keys: Iterable<Key>,
  read: (key: Key) => CandidateRow | undefined,
): Generator<CandidateRow> {
  for (const key of keys) {
    const row = read(key);
    if (row !== undefined) yield row;
  }
}

function* scan(copy: SearchableCopy): Generator<CandidateRow> {
  for (let rows = copy.after(0, SCAN_AT_ONCE); rows.length > 0; ) {
    yield* rows;
    rows = copy.after(rows.at(-1)?.doc ?? 0, SCAN_AT_ONCE);
  }
}

/** What the text index scores; not asked where nobody looks at scores. */
function scoresOf(
  copy: SearchableCopy,
  { scoring }: SearchPlan,
  { keys, limit }: CopySearch,
): ReadonlyMap<number, number> | undefined {
  if (scoring === undefined || limit === 0 || !usesScore(keys)) return undefined;
  return new Map(copy.findScored(scoring));
}

/** All documents score alike, so that best first is in order. */
function isDocumentOrder({ field, order }: SortKey): boolean {
  return field === '_score' || (field === '_doc' && order === 'asc');
}

function usesScore(keys: readonly SortKey[]): boolean {
  return keys.some(({ field }) => field === '_score');
}

function sortOf(
  keys: readonly SortKey[],
  doc: number,
  score: number,
  view: DocumentView | undefined,
): readonly SortValue[] {
  return keys.map(({ field, order }) => {
    if (field === '_score') return score;
    if (field === '_doc' || view === undefined) return doc;
    return field === '_id' ? view.id : sortValueOf(view.scalars(fieldNamed(field)), order);
  });
}

/** A document that was deleted since the index saw it is no hit any more. */
function foundOf(copy: SearchableCopy, top: TopHits, keys: readonly SortKey[]): Found {
  const scored = usesScore(keys);
  const hits = top.best().flatMap(({ doc, score, sort }: Hit) => {
    const row = copy.hit(doc);
    return row === undefined ? [] : [{ row, score: scored ? score : null, sort }];
  });
  return { total: top.total, maxScore: scored && hits.length > 0 ? top.maxScore : null, hits };
}
