// One item as an answer shows it: OpenSearch's fields in OpenSearch's order, or the very bytes that an engine behind Weir gave.
import {
  escapeControlCharacters,
  filterSource,
  type ItemSuccess,
  type OperationResult,
  type SourceFilter,
} from '@weir/shared';

export type AnsweredItem = {
  readonly index: string | undefined;
  readonly id: string | null;
  readonly result: OperationResult;
  /** Which parts of an update's new source were asked for. */
  readonly fetchSource: SourceFilter;
  /** The request asked for a refresh, so what was written is visible. */
  readonly forcedRefresh: boolean;
};

/** JSON text of what stands inside the action's name. */
export function itemText(item: AnsweredItem): string {
  const { result, fetchSource } = item;
  if ('body' in result) return isCut(fetchSource) ? JSON.stringify(itemBody(item)) : result.body;
  return result.ok && result.get === undefined ? writtenText(item, result) : JSON.stringify(itemBody(item));
}

/** Put together by hand: a bulk has as many of these as it has documents, and an object for each costs three times as much. */
function writtenText({ index, id, forcedRefresh }: AnsweredItem, result: ItemSuccess): string {
  const { version, shards, seqNo, primaryTerm, status } = result;
  const forced = forcedRefresh && result.result !== 'noop' ? ',"forced_refresh":true' : '';
  const copies =
    shards.failures === undefined
      ? `{"total":${shards.total},"successful":${shards.successful},"failed":${shards.failed}}`
      : JSON.stringify(shards);
  return `{"_index":${JSON.stringify(index)},"_id":${JSON.stringify(id)},"_version":${version},"result":"${result.result}"${forced},"_shards":${copies},"_seq_no":${seqNo},"_primary_term":${primaryTerm},"status":${status}}`;
}

/** The same as an object. */
export function itemBody(item: AnsweredItem): Record<string, unknown> {
  const { index, id, result } = item;
  if ('body' in result) return withCutSource(JSON.parse(result.body), item.fetchSource);
  if (result.ok) return { ...writtenBody(item, result), status: result.status };
  const error = { ...result.error, reason: escapeControlCharacters(result.error.reason) };
  return { _index: index, _id: id, status: result.status, error };
}

function writtenBody(item: AnsweredItem, result: ItemSuccess): Record<string, unknown> {
  return {
    _index: item.index,
    _id: item.id,
    _version: result.version,
    result: result.result,
    ...(item.forcedRefresh && result.result !== 'noop' ? { forced_refresh: true } : {}),
    _shards: result.shards,
    _seq_no: result.seqNo,
    _primary_term: result.primaryTerm,
    ...(result.get === undefined ? {} : withCutSource({ get: result.get }, item.fetchSource)),
  };
}

function isCut({ includes, excludes }: SourceFilter): boolean {
  return includes.length > 0 || excludes.length > 0;
}

function withCutSource(item: Record<string, unknown>, filter: SourceFilter): Record<string, unknown> {
  const { get } = item;
  if (!isCut(filter) || typeof get !== 'object' || get === null || !('_source' in get)) return item;
  return { ...item, get: { ...get, _source: filterSource(get._source as Record<string, unknown>, filter) } };
}
