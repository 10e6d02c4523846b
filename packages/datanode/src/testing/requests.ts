// Requests as tests need them: small, valid, with only what the test is about spelled out.
import { type Operation, operationBytes, type ReplicaRequest, type ShardRequest } from '@weir/shared';

/** An index operation with an id of the client's. */
export function indexOperation(id: string, source = '{}'): Operation {
  return {
    ...{ kind: 'index', id, autoId: false, routing: undefined, source: Buffer.from(source) },
    ...{ ifSeqNo: undefined, ifPrimaryTerm: undefined, version: undefined, versionType: 'internal' },
    ...{ retryOnConflict: 0, returnSource: false },
  };
}

/** One document for shard 0 of `logs`, if nothing else is said. */
export function shardRequest(given: Partial<ShardRequest>): ShardRequest {
  const operations = given.operations ?? [indexOperation('a')];
  const bytes = operations.reduce((sum, { source }) => sum + operationBytes(source.length), 0);
  return {
    ...{ index: 'logs', indexUuid: 'u', shard: 0, primaryTerm: 1, operations, bytes, digest: 0 },
    ...{ timeoutMs: 10_000, waitForActiveShards: 1, refresh: 'false', requestId: 'r1' },
    ...{ opaqueId: undefined, traceId: undefined },
    ...given,
  };
}

/** A replica's part without operations, of a given size. */
export function replicaRequest(bytes: number): ReplicaRequest {
  const { index, indexUuid, shard, primaryTerm, timeoutMs, refresh, requestId } = shardRequest({});
  return { index, indexUuid, shard, primaryTerm, timeoutMs, refresh, requestId, bytes, operations: [] };
}
