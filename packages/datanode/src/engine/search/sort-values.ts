// By what are hits ordered, and which of two comes first? The coordinator merges shards by the same rules.
import { WeirError } from '@weir/shared/errors';
import type { Scalar } from './json-values.ts';
import { allowOnly, asObject, shown } from './query-parameters.ts';

export type SortKey = {
  readonly field: string;
  readonly order: 'asc' | 'desc';
  readonly missing: '_last' | '_first';
};
export type SortValue = string | number | null;

const BY_SCORE: readonly SortKey[] = [{ field: '_score', order: 'desc', missing: '_last' }];

/** Keys of a search's `sort`: a name, an object or a list of these; by score where there is none. */
export function parseSort(sort: unknown): readonly SortKey[] {
  if (sort === undefined || sort === null) return BY_SCORE;
  const keys = (Array.isArray(sort) ? sort : [sort]).flatMap(parseKey);
  return keys.length === 0 ? BY_SCORE : keys;
}

function parseKey(key: unknown): readonly SortKey[] {
  if (typeof key === 'string') return [sortKey(key, {})];
  return Object.entries(asObject(key, 'sort')).map(([field, given]) =>
    typeof given === 'string' ? sortKey(field, { order: given }) : sortKey(field, asObject(given, 'sort')),
  );
}

function sortKey(field: string, options: Readonly<Record<string, unknown>>): SortKey {
  allowOnly(options, 'sort', ['order', 'missing', 'unmapped_type']);
  const order = options['order'] ?? (field === '_score' ? 'desc' : 'asc');
  const missing = options['missing'] ?? '_last';
  if (order !== 'asc' && order !== 'desc') throw wrong(field, 'order', order, 'asc, desc');
  if (missing !== '_last' && missing !== '_first') throw wrong(field, 'missing', missing, '_last, _first');
  return { field, order, missing };
}

function wrong(field: string, option: string, value: unknown, allowed: string): WeirError {
  return new WeirError(
    'parsing',
    `[sort] [${option}] of [${shown(field)}]: got [${shown(value)}], allowed: [${allowed}]`,
  );
}

/** Negative when `a` comes first. */
export function compareHits(
  keys: readonly SortKey[],
  a: readonly SortValue[],
  b: readonly SortValue[],
): number {
  for (const [at, key] of keys.entries()) {
    const order = compareByKey(key, a[at] ?? null, b[at] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}

/** Missing values stay where `missing` puts them, whatever the order. */
function compareByKey({ order, missing }: SortKey, a: SortValue, b: SortValue): number {
  if (a === b) return 0;
  if (a === null || b === null) return (a === null) === (missing === '_first') ? -1 : 1;
  return order === 'asc' ? compareValues(a, b) : -compareValues(a, b);
}

/** Numbers before texts. */
function compareValues(a: string | number, b: string | number): number {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1;
  return typeof b === 'number' ? 1 : compareText(a, b);
}

/** By code points, which is the order of the UTF-8 bytes. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  let at = 0;
  while (a.charCodeAt(at) === b.charCodeAt(at)) at++;
  const start = at > 0 && isLowSurrogate(a, at) && isLowSurrogate(b, at) ? at - 1 : at;
  return (a.codePointAt(start) ?? -1) - (b.codePointAt(start) ?? -1);
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** The value a document is ordered by: of several the smallest, or the largest when descending; null where there is none. */
export function sortValueOf(scalars: readonly Scalar[], order: SortKey['order']): SortValue {
  const values = scalars
    .map((scalar) => (typeof scalar === 'boolean' ? Number(scalar) : scalar))
    // What is beyond every number in JSON (1e400) has no place in an order that is sent as JSON.
    .filter((value) => typeof value === 'string' || Number.isFinite(value));
  const [first] = values;
  if (first === undefined) return null;
  const sign = order === 'asc' ? 1 : -1;
  return values.reduce((best, value) => (compareValues(value, best) * sign < 0 ? value : best), first);
}
