// What a client is told of each operation once it is known what the copies made of the shard request.
import {
  ERROR_CODES,
  type ItemResult,
  type ShardRequest,
  type ShardsHeader,
  whyUnacknowledged,
} from '@weir/shared';

/** Every operation that went through shows the copies it is on; the others had no effect and keep their own error. */
export function acknowledged(results: readonly ItemResult[], shards: ShardsHeader): ItemResult[] {
  return results.map((result) => (result.ok ? { ...result, shards } : result));
}

/** Nothing may be acknowledged: what went through is stored here and may be elsewhere, and the client has to ask or try again. */
export function unacknowledged(
  request: ShardRequest,
  results: readonly ItemResult[],
  why: string,
): ItemResult[] {
  const failure = unacknowledgedItem(request, why);
  return results.map((result) => (result.ok ? failure : result));
}

/** The same for operations of which nothing is known yet. */
export function unfinished(request: ShardRequest, why: string): ItemResult[] {
  const failure = unacknowledgedItem(request, why);
  return request.operations.map(() => failure);
}

function unacknowledgedItem({ index, indexUuid, shard }: ShardRequest, why: string): ItemResult {
  const { type, status } = ERROR_CODES.unavailable_shards;
  const reason = `[${index}][${shard}] ${whyUnacknowledged(why)}`;
  return {
    ok: false,
    status,
    error: { type, reason, index, shard: String(shard), index_uuid: indexUuid },
  };
}
