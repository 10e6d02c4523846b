// What the query string of a bulk or of a document write says: the same parameters with the same meaning for both.
import { escapeControlCharacters, type ShardRequest, type SourceFilter, WeirError } from '@weir/shared';
import { sourceFilterFrom } from '../documents/source-filter.ts';
import type { QueryParameters } from '../http/query-parameters.ts';

export type WriteParameters = Pick<ShardRequest, 'refresh' | 'waitForActiveShards'> & {
  readonly routing: string | undefined;
  readonly requireAlias: boolean;
  readonly pipeline: string | undefined;
  readonly timeoutMs: number;
  readonly fetchSource: SourceFilter;
};

/** What updates answer of their source unless they are asked. */
const NO_SOURCE: SourceFilter = { wanted: false, includes: [], excludes: [] };

/** `clientMs`: how long a client waits unless it asks for less. `pipelines`: whether there can be any. */
export function readWriteParameters(
  query: QueryParameters,
  clientMs: number,
  pipelines = false,
): WriteParameters {
  const pipeline = query.text('pipeline');
  if (!pipelines) refusePipeline(pipeline);
  const routing = query.text('routing');
  return {
    routing: routing === '' ? undefined : routing,
    refresh: refreshOf(query.text('refresh')),
    timeoutMs: timeoutOf(query.timeMs('timeout', clientMs), clientMs),
    waitForActiveShards: activeShardsOf(query.text('wait_for_active_shards')),
    requireAlias: query.flag('require_alias', false),
    pipeline,
    fetchSource: sourceFilterFrom(query, NO_SOURCE),
  };
}

function refusePipeline(pipeline: string | undefined): void {
  if (pipeline === undefined || pipeline === '_none') return;
  throw new WeirError(
    'illegal_argument',
    `pipeline with id [${shown(pipeline)}] does not exist: parameter [pipeline] is not supported, this engine has no pipelines`,
  );
}

function refreshOf(text: string | undefined): ShardRequest['refresh'] {
  if (text === undefined || text === 'false') return 'false';
  if (text === '' || text === 'true') return 'true';
  if (text === 'wait_for') return 'wait_for';
  throw new WeirError(
    'illegal_argument',
    `Unknown value for refresh: [${shown(text)}], allowed: [true, false, wait_for]`,
  );
}

/** 0 and -1 mean no limit of the client's own. */
function timeoutOf(askedMs: number, clientMs: number): number {
  return askedMs <= 0 ? clientMs : Math.min(askedMs, clientMs);
}

function activeShardsOf(text: string | undefined): number | 'all' {
  if (text === undefined) return 1;
  if (text === 'all') return 'all';
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new WeirError(
    'illegal_argument',
    `cannot parse ActiveShardCount[${shown(text)}] of parameter [wait_for_active_shards], allowed: [all] or a whole number from 0`,
  );
}

function shown(text: string): string {
  return escapeControlCharacters(text.slice(0, 100));
}
