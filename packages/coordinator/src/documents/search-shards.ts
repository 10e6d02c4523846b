// Runs a search or count on every shard it concerns and puts the parts together, with a true `_shards`.
import {
  compareSortValues,
  type IndexMetadata,
  type SearchAnswer,
  toWeirError,
  WeirError,
} from '@weir/shared';
import type { ReadShards, ShardRef } from './read-shards.ts';
import type { SearchCall } from './search-request.ts';
import { toWireSort } from './sort-keys.ts';
import { applySourceFilter } from './source-filter.ts';

/** Shard number of an id or routing value. */
export type ShardOf = (index: IndexMetadata, id: string, routing: string | undefined) => number;

type Part<T> = { readonly ref: ShardRef; readonly value: T };
type Failure = { readonly ref: ShardRef; readonly error: WeirError };
type Hit = SearchAnswer['hits'][number] & { readonly ref: ShardRef };

/** The shards a call concerns: all of every index, or those its routing values lead to. */
export function shardsOf(
  indices: readonly IndexMetadata[],
  routing: readonly string[],
  shardOf: ShardOf,
): readonly ShardRef[] {
  return indices.flatMap((index) => {
    const all = index.shards.map((_, shard) => shard);
    const routed = new Set(routing.map((value) => shardOf(index, value, value)));
    const chosen = routing.length === 0 || index.routing_partition_size > 1 ? all : [...routed];
    return chosen.map((shard) => ({ index, shard }));
  });
}

/** OpenSearch's answer to `_search` but for `took`. */
export async function searchShards(
  reads: ReadShards,
  refs: readonly ShardRef[],
  call: SearchCall,
): Promise<Record<string, unknown>> {
  const search = {
    query: call.query,
    from: 0,
    size: call.from + call.size,
    sort: toWireSort(call.sort),
    track_total_hits: call.totalHits !== false,
  };
  const { parts, failures } = await onEach(refs, (ref) => reads.search(ref, search));
  if (failures.length > 0 && !call.allowPartial) throw partialFailure(failures);
  const hits = parts.flatMap(({ ref, value }) => value.hits.map((hit): Hit => ({ ...hit, ref })));
  hits.sort((a, b) =>
    call.sort.length === 0 ? byScore(a, b) : compareSortValues(call.sort, a.sort, b.sort),
  );
  return {
    timed_out: false,
    _shards: shardsHeader(refs.length, failures),
    hits: {
      ...totalHits(parts, call),
      max_score: maxScore(parts),
      hits: hits.slice(call.from, call.from + call.size).map((hit) => hitBody(hit, call)),
    },
  };
}

/** OpenSearch's answer to `_count`. */
export async function countShards(
  reads: ReadShards,
  refs: readonly ShardRef[],
  query: unknown,
): Promise<Record<string, unknown>> {
  const { parts, failures } = await onEach(refs, (ref) => reads.count(ref, query));
  const count = parts.reduce((sum, { value }) => sum + value, 0);
  return { count, _shards: shardsHeader(refs.length, failures) };
}

/** Asks all shards at once. What the client got wrong, or nothing but failures, fails the whole. */
async function onEach<T>(
  refs: readonly ShardRef[],
  ask: (ref: ShardRef) => Promise<T>,
): Promise<{ parts: readonly Part<T>[]; failures: readonly Failure[] }> {
  const parts: Part<T>[] = [];
  const failures: Failure[] = [];
  await Promise.all(
    refs.map(async (ref) => {
      try {
        parts.push({ ref, value: await ask(ref) });
      } catch (thrown) {
        failures.push({ ref, error: toWeirError(thrown) });
      }
    }),
  );
  const theirs = failures.find(({ error }) => error.status < 500);
  if (theirs !== undefined) throw theirs.error;
  if (failures.length > 0 && parts.length === 0) throw partialFailure(failures);
  const order = new Map(refs.map((ref, at) => [ref, at]));
  return { parts: parts.sort((a, b) => (order.get(a.ref) ?? 0) - (order.get(b.ref) ?? 0)), failures };
}

function partialFailure(failures: readonly Failure[]): WeirError {
  const [first] = failures;
  return new WeirError(
    'no_shard_available',
    `${failures.length} shards failed, the first: ${first?.error.message ?? ''}`,
  );
}

/** `_shards` of a read. */
function shardsHeader(total: number, failures: readonly Failure[]): Record<string, unknown> {
  const header = { total, successful: total - failures.length, skipped: 0, failed: failures.length };
  if (failures.length === 0) return header;
  return {
    ...header,
    failures: failures.map(({ ref, error }) => ({
      shard: ref.shard,
      index: ref.index.name,
      status: error.status,
      reason: { type: error.type, reason: error.message },
    })),
  };
}

/** Best first; equal scores keep the order of the shards. */
function byScore(a: Hit, b: Hit): number {
  return (b.score ?? 0) - (a.score ?? 0);
}

function totalHits(parts: readonly Part<SearchAnswer>[], call: SearchCall): Record<string, unknown> {
  const found = parts.reduce((sum, { value }) => sum + value.total, 0);
  if (call.totalHits === false) return {};
  if (call.totalAsNumber) return { total: found };
  const capped = found > call.totalHits;
  return { total: { value: capped ? call.totalHits : found, relation: capped ? 'gte' : 'eq' } };
}

function maxScore(parts: readonly Part<SearchAnswer>[]): number | null {
  const scores = parts.map(({ value }) => value.max_score).filter((score) => score !== null);
  return scores.length === 0 ? null : Math.max(...scores);
}

function hitBody(hit: Hit, call: SearchCall): Record<string, unknown> {
  const source = applySourceFilter(hit.source, call.source);
  return {
    _index: hit.ref.index.name,
    _id: hit.id,
    _score: hit.score,
    ...(hit.routing === undefined ? {} : { _routing: hit.routing }),
    ...(source === undefined ? {} : { _source: source }),
    ...(call.sort.length === 0 ? {} : { sort: hit.sort }),
  };
}
