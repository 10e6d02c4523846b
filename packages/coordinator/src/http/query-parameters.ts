// Reads the query string of one request: every parameter is asked for by name and kind, and what nobody asked for is an error.
import { escapeControlCharacters, WeirError } from '@weir/shared';
import type { Request } from 'express';
import { parseTimeMs } from './time-value.ts';

/** Accepted by every route, as OpenSearch does: they shape the answer and nothing else. */
const COMMON = new Set(['pretty', 'human', 'error_trace', 'filter_path']);
const BROKEN_ESCAPE = /%(?![0-9a-f]{2})/i;

export class QueryParameters {
  readonly #path: string;
  readonly #values: ReadonlyMap<string, string>;
  readonly #asked = new Set<string>();

  constructor(request: Pick<Request, 'originalUrl'>) {
    const url = request.originalUrl;
    const start = url.indexOf('?');
    const query = start < 0 ? '' : url.slice(start + 1);
    this.#path = start < 0 ? url : url.slice(0, start);
    if (BROKEN_ESCAPE.test(query))
      throw new WeirError(
        'illegal_argument',
        `query string [${query.slice(0, 200)}] is not valid percent-encoding`,
      );
    this.#values = new Map(new URLSearchParams(query));
  }

  /** Text of a parameter, or undefined where it is absent. */
  text(name: string): string | undefined {
    this.#asked.add(name);
    return this.#values.get(name);
  }

  /** `true`, `false` or a bare name, which means true. */
  flag(name: string, absent: boolean): boolean {
    const value = this.text(name);
    if (value === undefined) return absent;
    if (value === 'true' || value === '') return true;
    if (value === 'false') return false;
    throw new WeirError(
      'illegal_argument',
      `Failed to parse value [${value}] of parameter [${name}] as only [true] or [false] are allowed.`,
    );
  }

  /** A whole number from `min` to `max`. */
  integer(name: string, absent: number, min: number, max: number): number {
    const value = this.text(name);
    if (value === undefined) return absent;
    const number = /^-?\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new WeirError(
      'illegal_argument',
      `Failed to parse value [${value}] of parameter [${name}], a whole number from ${min} to ${max} is allowed`,
    );
  }

  /** A time with its unit, such as `30s` or `300ms`. */
  timeMs(name: string, absentMs: number): number {
    const value = this.text(name);
    return value === undefined ? absentMs : parseTimeMs(name, value);
  }

  /** Parts of a list separated by commas; empty where the parameter is absent. */
  list(name: string): readonly string[] {
    const value = this.text(name);
    return value === undefined ? [] : value.split(',').filter((part) => part !== '');
  }

  /** One value of a closed list. */
  oneOf<Value extends string>(name: string, absent: Value, allowed: readonly Value[]): Value {
    const value = this.text(name);
    if (value === undefined) return absent;
    const found = allowed.find((candidate) => candidate === value);
    if (found !== undefined) return found;
    throw new WeirError(
      'illegal_argument',
      `Failed to parse value [${value}] of parameter [${name}], allowed: [${allowed.join(', ')}]`,
    );
  }

  /** Parameters that are accepted and mean nothing here (each is understood, and its effect is what happens anyway). */
  accept(...names: readonly string[]): void {
    for (const name of names) this.#asked.add(name);
  }

  /** Parameters that nobody asked for. */
  unknown(): readonly string[] {
    return [...this.#values.keys()].filter((name) => !this.#asked.has(name) && !COMMON.has(name));
  }

  /** Throws for parameters that nobody asked for. */
  end(): void {
    const unknown = this.unknown();
    if (unknown.length === 0) return;
    const names = unknown.map((name) => `[${escapeControlCharacters(name)}]`).join(', ');
    const word = unknown.length === 1 ? 'parameter' : 'parameters';
    throw new WeirError(
      'illegal_argument',
      `request [${this.#path}] contains unrecognized ${word}: ${names}`,
    );
  }
}
