// What a search or count asks for, from its query string and its body; whatever is not supported is named.
import { escapeControlCharacters, type SortKey, type SourceFilter, WeirError } from '@weir/shared';
import { z } from 'zod';
import type { QueryParameters } from '../http/query-parameters.ts';
import { sortKeysFromText, sortKeysOf } from './sort-keys.ts';
import { sourceFilterFrom, sourceFilterOf } from './source-filter.ts';

export type SearchCall = {
  readonly query: unknown;
  readonly from: number;
  readonly size: number;
  /** Empty: by score. */
  readonly sort: readonly SortKey[];
  /** Hits counted at most; false leaves the total out. */
  readonly totalHits: number | false;
  readonly totalAsNumber: boolean;
  readonly source: SourceFilter;
  /** Routing values that limit the search to their shards; empty: all shards. */
  readonly routing: readonly string[];
  readonly allowPartial: boolean;
};

/** Beyond it every shard would have to sort and send ever more for one page. */
const MAX_RESULT_WINDOW = 10_000;
const DEFAULT_TOTAL_HITS = 10_000;

const bodySchema = z.strictObject({
  query: z.record(z.string(), z.unknown()).optional(),
  from: z.number().int().min(0).optional(),
  size: z.number().int().min(0).optional(),
  sort: z.unknown().optional(),
  _source: z.unknown().optional(),
  track_total_hits: z.union([z.boolean(), z.number().int().min(0)]).optional(),
  timeout: z.string().optional(),
});
const countBodySchema = z.strictObject({ query: z.record(z.string(), z.unknown()).optional() });

/** Reads the call of `_search`; leaves index options and the end of the query string to its caller. */
export function parseSearchCall(query: QueryParameters, body: unknown): SearchCall {
  const given = parseBody(bodySchema, body, '_search');
  query.accept('timeout', 'request_cache', 'batched_reduce_size', 'max_concurrent_shard_requests');
  query.accept('pre_filter_shard_size', 'search_type', 'preference', 'ccs_minimize_roundtrips', 'typed_keys');
  const from = query.integer('from', given.from ?? 0, 0, Number.MAX_SAFE_INTEGER);
  const size = query.integer('size', given.size ?? 10, 0, Number.MAX_SAFE_INTEGER);
  if (from + size > MAX_RESULT_WINDOW)
    throw new WeirError(
      'illegal_argument',
      `Result window is too large, from + size must be less than or equal to: [${MAX_RESULT_WINDOW}] but was [${from + size}]`,
    );
  const sortText = query.text('sort');
  return {
    query: queryOf(query, given.query),
    from,
    size,
    sort: sortText === undefined ? sortKeysOf(given.sort) : sortKeysFromText(sortText),
    totalHits: totalHitsOf(query, given.track_total_hits),
    totalAsNumber: query.flag('rest_total_hits_as_int', false),
    source: sourceFilterFrom(query, sourceFilterOf(given._source)),
    routing: query.list('routing'),
    allowPartial: query.flag('allow_partial_search_results', true),
  };
}

/** Reads the call of `_count`. */
export function parseCountCall(query: QueryParameters, body: unknown): Pick<SearchCall, 'query' | 'routing'> {
  const given = parseBody(countBodySchema, body, '_count');
  query.accept('preference');
  return { query: queryOf(query, given.query), routing: query.list('routing') };
}

/** The query of the body, or `q` of the query string, which wins as in OpenSearch. */
function queryOf(query: QueryParameters, given: unknown): unknown {
  const text = query.text('q');
  const defaultField = query.text('df');
  const defaultOperator = query.text('default_operator');
  query.accept('analyze_wildcard', 'lenient');
  if (text === undefined) return given ?? { match_all: {} };
  return {
    query_string: {
      query: text,
      ...(defaultField === undefined ? {} : { default_field: defaultField }),
      ...(defaultOperator === undefined ? {} : { default_operator: defaultOperator }),
    },
  };
}

function totalHitsOf(query: QueryParameters, given: boolean | number | undefined): number | false {
  const text = query.text('track_total_hits');
  if (text !== undefined && /^\d{1,15}$/.test(text)) return Number(text);
  const tracked = text === undefined ? given : query.flag('track_total_hits', true);
  if (tracked === true) return Number.MAX_SAFE_INTEGER;
  return tracked ?? DEFAULT_TOTAL_HITS;
}

function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  request: string,
): z.infer<Schema> {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue?.code === 'unrecognized_keys') {
    const allowed = Object.keys((schema as unknown as z.ZodObject).shape).join(', ');
    const key = escapeControlCharacters(issue.keys[0] ?? '');
    throw new WeirError(
      'parsing',
      `unknown key [${key}] in the body of [${request}], supported: [${allowed}]`,
    );
  }
  const path = issue?.path.join('.') ?? '';
  throw new WeirError(
    'parsing',
    path === ''
      ? `the body of [${request}] has to be a JSON object`
      : `Failed to parse [${escapeControlCharacters(path)}] of [${request}]: ${issue?.message}`,
  );
}
