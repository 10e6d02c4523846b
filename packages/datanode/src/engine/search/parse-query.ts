// Is this a query the engine can answer? OpenSearch's query object checked and made one of few forms; what is not supported is named.
import { WeirError } from '@weir/shared/errors';
import { printable } from '../printable.ts';
import { parseBool } from './parse-bool.ts';
import { parseIds, parseMatch, parseMatchAll, parseTerm, parseTerms } from './parse-leaf-query.ts';
import { parseQueryString } from './parse-query-string.ts';
import { parseRange } from './parse-range.ts';
import { ALL, type Query } from './query.ts';
import { asObject } from './query-parameters.ts';

/** Nested deeper, a query costs its reader more stack than answers are worth; OpenSearch stops at 20. */
const MAX_DEPTH = 20;
/** OpenSearch's limit on clauses of one query. */
const MAX_CLAUSES = 1_024;

type Parse = (body: unknown) => Query;

const LEAVES: Readonly<Record<string, Parse>> = {
  match_all: parseMatchAll,
  match: parseMatch,
  term: parseTerm,
  terms: parseTerms,
  ids: parseIds,
  range: parseRange,
  query_string: parseQueryString,
};
const SUPPORTED = [...Object.keys(LEAVES), 'bool'].join(', ');

/** Checks a whole query, each clause of it, before anything is searched. No query at all means all documents. */
export function parseQuery(query: unknown): Query {
  if (query === undefined || query === null) return ALL;
  let clauses = 0;
  const parse = (clause: unknown, depth: number): Query => {
    if (++clauses > MAX_CLAUSES)
      throw new WeirError('illegal_argument', `too many clauses in the query, allowed: [${MAX_CLAUSES}]`);
    if (depth > MAX_DEPTH)
      throw new WeirError(
        'illegal_argument',
        `the query is nested too deeply, allowed: [${MAX_DEPTH}] levels`,
      );
    const [name, body] = onlyEntry(clause);
    const leaf = Object.hasOwn(LEAVES, name) ? LEAVES[name] : undefined;
    if (leaf !== undefined) return leaf(body);
    if (name === 'bool') return parseBool(body, (inner) => parse(inner, depth + 1));
    throw new WeirError('parsing', `unknown query [${printable(name)}], supported: [${SUPPORTED}]`);
  };
  return parse(query, 1);
}

function onlyEntry(clause: unknown): readonly [string, unknown] {
  const entries = Object.entries(asObject(clause, 'query'));
  const [first] = entries;
  if (first !== undefined && entries.length === 1) return first;
  const names = entries.map(([name]) => printable(name)).join(', ');
  throw new WeirError(
    'parsing',
    `a query clause has to hold exactly one query, got [${names.slice(0, 200)}]`,
  );
}
