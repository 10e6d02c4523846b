// Checks on the parts of a query, each with an error that names what was wrong, the value and what is allowed.
import { WeirError } from '@weir/shared/errors';
import { printable } from '../printable.ts';
import type { Scalar } from './json-values.ts';

export type Parameters = Readonly<Record<string, unknown>>;

/** A value as it may stand in a message. */
export function shown(value: unknown): string {
  return printable(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing'));
}

export function asObject(value: unknown, query: string): Parameters {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Parameters;
  throw new WeirError('parsing', `[${query}] malformed query, got [${shown(value)}], expected an object`);
}

/** Refuses every parameter that is not listed. `boost` of 1 changes nothing and is let through; another one would be ignored in silence. */
export function allowOnly(parameters: Parameters, query: string, allowed: readonly string[]): void {
  for (const name of Object.keys(parameters)) {
    if (allowed.includes(name) || (name === 'boost' && parameters[name] === 1)) continue;
    throw new WeirError(
      'parsing',
      `[${query}] query does not support [${printable(name)}], allowed: [${allowed.join(', ')}]`,
    );
  }
}

/** The one field a query is about, with what is asked of it. */
export function onlyField(body: unknown, query: string): readonly [string, unknown] {
  const entries = Object.entries(asObject(body, query));
  const [first, second] = entries;
  if (first === undefined) throw new WeirError('parsing', `[${query}] query has no field`);
  if (second === undefined) return first;
  throw new WeirError(
    'parsing',
    `[${query}] query doesn't support multiple fields, found [${printable(first[0])}] and [${printable(second[0])}]`,
  );
}

export function asScalar(value: unknown, query: string): Scalar {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  throw new WeirError(
    'parsing',
    `[${query}] query needs a string, a number or a boolean, got [${shown(value)}]`,
  );
}

export function asStrings(value: unknown, query: string, name: string): readonly string[] {
  if (Array.isArray(value))
    return value.map((item) => {
      if (typeof item === 'string' || typeof item === 'number') return String(item);
      throw new WeirError('parsing', `[${query}] values of [${name}] are strings, got [${shown(item)}]`);
    });
  throw new WeirError('parsing', `[${query}] [${name}] has to be a list, got [${shown(value)}]`);
}

/** `and` or `or`, in any case. */
export function asOperator(value: unknown, query: string): 'and' | 'or' {
  const operator = value === undefined ? 'or' : String(value).toLowerCase();
  if (operator === 'and' || operator === 'or') return operator;
  throw new WeirError('parsing', `[${query}] operator needs to be either OR or AND, got [${shown(value)}]`);
}

/** How many of `count` optional clauses have to match: a number, a negative number (all but so many) or a percentage of either sign. */
export function minimumOf(value: unknown, count: number, otherwise: number): number {
  if (value === undefined) return otherwise;
  const match = /^(-?\d{1,9})(%?)$/.exec(String(value));
  if (match === null)
    throw new WeirError(
      'parsing',
      `minimum_should_match: got [${shown(value)}], allowed: numbers and percentages`,
    );
  const given = Number(match[1]);
  const clauses = match[2] === '%' ? Math.trunc((count * given) / 100) : given;
  return Math.max(0, given < 0 ? count + clauses : clauses);
}
