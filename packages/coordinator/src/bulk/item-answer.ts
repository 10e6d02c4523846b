// One item as an answer shows it, in OpenSearch's order of fields.
import { escapeControlCharacters, type ItemResult, type ItemSuccess } from '@weir/shared';
import { applySourceFilter, type SourceFilter } from '../documents/source-filter.ts';

export type AnsweredItem = {
  readonly index: string | undefined;
  readonly id: string | null;
  readonly result: ItemResult;
  /** Which parts of an update's new source were asked for. */
  readonly fetchSource: SourceFilter;
  /** The request asked for a refresh, so what was written is visible. */
  readonly forcedRefresh: boolean;
};

/** The item inside its action's name. */
export function bulkItem(item: AnsweredItem): Record<string, unknown> {
  const { index, id, result } = item;
  if (result.ok) return { ...documentAnswer(item, result), status: result.status };
  const error = { ...result.error, reason: escapeControlCharacters(result.error.reason) };
  return { _index: index, _id: id, status: result.status, error };
}

/** What a write of one document answers, and what is inside a bulk's item beside its status. */
export function documentAnswer(item: AnsweredItem, result: ItemSuccess): Record<string, unknown> {
  return {
    _index: item.index,
    _id: item.id,
    _version: result.version,
    result: result.result,
    ...(item.forcedRefresh && result.result !== 'noop' ? { forced_refresh: true } : {}),
    _shards: result.shards,
    _seq_no: result.seqNo,
    _primary_term: result.primaryTerm,
    ...(result.get === undefined ? {} : { get: filtered(result.get, item.fetchSource) }),
  };
}

function filtered(get: unknown, filter: SourceFilter): unknown {
  if (filter.includes.length === 0 && filter.excludes.length === 0) return get;
  if (typeof get !== 'object' || get === null || !('_source' in get)) return get;
  return { ...get, _source: applySourceFilter(JSON.stringify(get._source), filter) };
}
