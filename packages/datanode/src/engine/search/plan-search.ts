// How are a query's documents found without looking at each? By ids, by the text index, or not at all.
import { analyze } from './analyze.ts';
import type { Field, Query, ValuesQuery, WordsQuery } from './query.ts';

/** What the text index is asked; its own syntax, with every word quoted. */
export type Match = string;

export type SearchPlan = {
  /** The only ids that can match. */
  readonly ids: ReadonlySet<string> | undefined;
  /** A question to the text index that finds all documents that can match; undefined: any document can. */
  readonly candidates: Match | undefined;
  /** Every candidate does match: none has to be read to know it. */
  readonly exact: boolean;
  /** The words that the text index scores; undefined: scores are constant. */
  readonly scoring: Match | undefined;
};

/** The index takes no longer list of phrases than a query may have words. */
const MAX_PHRASES = 1_024;

export function planSearch(query: Query): SearchPlan {
  return {
    ids: idsOf(query),
    candidates: candidatesOf(query),
    exact: isExact(query),
    scoring: anyOf(scoredBy(query)),
  };
}

/** Whether the text index has a part in the answer. */
export function needsIndex(query: Query): boolean {
  const { ids, candidates, scoring } = planSearch(query);
  return (ids === undefined && candidates !== undefined) || scoring !== undefined;
}

function idsOf(query: Query): ReadonlySet<string> | undefined {
  if (query.kind === 'none') return new Set();
  if (query.kind === 'ids') return query.ids;
  if (query.kind !== 'bool') return undefined;
  return [...query.must, ...query.filter].map(idsOf).find((ids) => ids !== undefined);
}

function candidatesOf(query: Query): Match | undefined {
  switch (query.kind) {
    case 'words':
      return wordsOf(query);
    case 'phrase':
      return quote(query.words);
    case 'prefix':
      return prefixOf(query.field, query.prefix);
    case 'values':
      return phrasesOf(query);
    case 'bool': {
      const required = [...query.must, ...query.filter].map(candidatesOf);
      const either = query.minimum > 0 ? query.should.map(candidatesOf) : [];
      const optional = either.every((match) => match !== undefined) ? anyOf(either) : undefined;
      return join([...required, optional], 'AND');
    }
    default:
      return undefined;
  }
}

/** The index knows words, not where they stand: what has a field, a phrase or an exclusion is looked at again. */
function isExact(query: Query): boolean {
  switch (query.kind) {
    case 'all':
      return true;
    case 'words':
      return query.field.path === undefined && (query.minimum === 1 || query.minimum === query.words.length);
    case 'prefix':
      return query.field.path === undefined;
    default:
      return false;
  }
}

function scoredBy(query: Query): readonly (Match | undefined)[] {
  if (query.kind === 'words' || query.kind === 'phrase' || query.kind === 'values')
    return [candidatesOf(query)];
  return query.kind === 'bool' ? [...query.must, ...query.should].flatMap(scoredBy) : [];
}

function wordsOf({ field, text, words, minimum }: WordsQuery): Match | undefined {
  const quoted = words.map((word) => quote([word]));
  const match = join(quoted, minimum === words.length ? 'AND' : 'OR');
  const number = Number(text);
  if (field.path === undefined || !Number.isFinite(number)) return match;
  // 5.0 is 5, and stands in the index as that.
  return anyOf([match, quote(analyze(String(number)))]);
}

function phrasesOf({ texts, numbers }: ValuesQuery): Match | undefined {
  const phrases = new Set([...texts, ...[...numbers].map(String)].map((text) => analyze(text)));
  if (phrases.size > MAX_PHRASES || [...phrases].some((words) => words.length === 0)) return undefined;
  return anyOf([...phrases].map(quote));
}

/** A prefix of a value as it stands begins with words of which the last may go on. */
function prefixOf({ exact }: Field, prefix: string): Match | undefined {
  if (!exact) return `${quote([prefix])}*`;
  const words = analyze(prefix);
  return words.length === 0 ? undefined : `${quote(words)}*`;
}

function anyOf(matches: readonly (Match | undefined)[]): Match | undefined {
  return join(matches, 'OR');
}

function join(matches: readonly (Match | undefined)[], operator: 'AND' | 'OR'): Match | undefined {
  const known = [...new Set(matches.filter((match) => match !== undefined))];
  if (known.length < 2) return known[0];
  return known.map((match) => `(${match})`).join(` ${operator} `);
}

/** Text of a user never becomes syntax of the index. */
function quote(words: readonly string[]): Match {
  return `"${words.join(' ').replaceAll('"', '""')}"`;
}
