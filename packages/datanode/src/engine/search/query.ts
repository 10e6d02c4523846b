// A query after it was checked: the few forms that the engine can answer. Plain data, so that it can be sent to the reader.
import type { Scalar } from './json-values.ts';

/** Where a clause looks: a path, or all of the document when undefined. `exact`: the value as it stands, not its words. */
export type Field = { readonly path: string | undefined; readonly exact: boolean };

export type Bound = {
  readonly inclusive: boolean;
  readonly value: string | number;
  /** Where the bound reads as a date: that moment. */
  readonly timeMs: number | undefined;
};

export type Query =
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  | { readonly kind: 'ids'; readonly ids: ReadonlySet<string> }
  | WordsQuery
  | { readonly kind: 'phrase'; readonly field: Field; readonly words: readonly string[] }
  | { readonly kind: 'prefix'; readonly field: Field; readonly prefix: string }
  | ValuesQuery
  | { readonly kind: 'exists'; readonly field: Field }
  | {
      readonly kind: 'range';
      readonly field: Field;
      readonly lower: Bound | undefined;
      readonly upper: Bound | undefined;
    }
  | BoolQuery;

/** At least `minimum` of the words of a text; a number in the document matches as a number. */
export type WordsQuery = {
  readonly kind: 'words';
  readonly field: Field;
  readonly text: string;
  readonly words: readonly string[];
  readonly minimum: number;
};

/** One of some values, as it stands or as one word of a text; numbers compare as numbers however the query spells them. */
export type ValuesQuery = {
  readonly kind: 'values';
  readonly field: Field;
  readonly texts: ReadonlySet<string>;
  readonly numbers: ReadonlySet<number>;
};

export type BoolQuery = {
  readonly kind: 'bool';
  readonly must: readonly Query[];
  readonly should: readonly Query[];
  readonly filter: readonly Query[];
  readonly mustNot: readonly Query[];
  /** Of `should`. */
  readonly minimum: number;
};

export const ALL: Query = { kind: 'all' };
export const ANYWHERE: Field = { path: undefined, exact: false };

/** A field by the name a client gave it; `title.keyword` is `title` exactly. */
export function fieldNamed(name: string): Field {
  return { path: name, exact: name.endsWith('.keyword') };
}

export function valuesQuery(field: Field, values: readonly Scalar[]): Query {
  const numbers = values.filter((value) => typeof value !== 'boolean' && value !== '').map(Number);
  return {
    kind: 'values',
    field,
    texts: new Set(values.map(String)),
    numbers: new Set(numbers.filter((number) => !Number.isNaN(number))),
  };
}

export function bool(clauses: Partial<Omit<BoolQuery, 'kind'>>): Query {
  return { kind: 'bool', must: [], should: [], filter: [], mustNot: [], minimum: 0, ...clauses };
}
