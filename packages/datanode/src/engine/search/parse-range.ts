// The range query: numbers by size, dates by time, other texts by their letters.
import { compareText } from '@weir/shared/documents';
import { WeirError } from '@weir/shared/errors';
import { timeOf } from './iso-date.ts';
import type { Scalar } from './json-values.ts';
import { type Bound, fieldNamed, type Query } from './query.ts';
import { allowOnly, asObject, asScalar, onlyField, shown } from './query-parameters.ts';

type RangeQuery = Extract<Query, { kind: 'range' }>;

export function parseRange(body: unknown): Query {
  const [name, given] = onlyField(body, 'range');
  const parameters = asObject(given, 'range');
  allowOnly(parameters, 'range', ['gt', 'gte', 'lt', 'lte']);
  const lower = parseBound(parameters['gt'], parameters['gte'], 'gt');
  const upper = parseBound(parameters['lt'], parameters['lte'], 'lt');
  return { kind: 'range', field: fieldNamed(name), lower, upper };
}

/** Of a day, `gt` means after its end and `lte` up to its end. */
function parseBound(exclusive: unknown, inclusive: unknown, exclusiveName: 'gt' | 'lt'): Bound | undefined {
  const isInclusive = inclusive !== undefined && inclusive !== null;
  const given = isInclusive ? inclusive : exclusive;
  if (given === undefined || given === null) return undefined;
  const scalar = asScalar(given, 'range');
  const value = typeof scalar === 'boolean' ? String(scalar) : scalar;
  if (typeof value === 'string' && (/^now(?![\w])/.test(value) || value.includes('||')))
    throw new WeirError(
      'parsing',
      `[range] date math [${shown(value)}] is not supported, give a date or a number`,
    );
  const end = isInclusive === (exclusiveName === 'lt');
  return { inclusive: isInclusive, value, timeMs: timeOf(String(value), end) };
}

/** Whether a document's value lies in the range. */
export function isInRange(value: Scalar, { lower, upper }: RangeQuery): boolean {
  return isBeyond(value, lower, 1) && isBeyond(value, upper, -1);
}

function isBeyond(value: Scalar, bound: Bound | undefined, direction: 1 | -1): boolean {
  if (bound === undefined) return true;
  const order = compareToBound(value, bound);
  if (order === undefined) return false;
  return order === 0 ? bound.inclusive : order * direction > 0;
}

/** Undefined where the two cannot be compared. */
function compareToBound(value: Scalar, bound: Bound): number | undefined {
  if (typeof value === 'boolean') return undefined;
  if (typeof value === 'number' || typeof bound.value === 'number') return difference(value, bound.value);
  const timeMs = bound.timeMs === undefined ? undefined : timeOf(value, false);
  if (timeMs !== undefined && bound.timeMs !== undefined) return timeMs - bound.timeMs;
  return compareText(value, bound.value);
}

function difference(value: string | number, bound: string | number): number | undefined {
  if (value === '' || bound === '') return undefined;
  const order = Number(value) - Number(bound);
  return Number.isNaN(order) ? undefined : order;
}
