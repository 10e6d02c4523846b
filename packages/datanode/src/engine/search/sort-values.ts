// By what are hits ordered, and which of a document's values counts?
import { compareValues, type SortKey, type SortValue } from '@weir/shared/documents';
import { WeirError } from '@weir/shared/errors';
import type { Scalar } from './json-values.ts';
import { allowOnly, asObject, shown } from './query-parameters.ts';

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
