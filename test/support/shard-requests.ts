// Shard requests as a guard would have let them through, for tests that speak to an engine directly.
import type { AdmittedReplicaRequest, AdmittedShardRequest } from '@weir/datanode';
import type { IndexMetadata, Operation, ReplicaOperation } from '@weir/shared';

export const COPY = { index: 'logs', indexUuid: 'logs-uuid', shard: 0 } as const;

/** Metadata of an index with one shard. */
export const METADATA: IndexMetadata = {
  ...{
    name: COPY.index,
    uuid: COPY.indexUuid,
    created_wall_ms: 0,
    number_of_shards: 1,
    number_of_replicas: 0,
  },
  ...{ routing_num_shards: 1024, routing_partition_size: 1, settings: {}, mappings: {} },
  shards: [{ primary_term: 1, primary: null, replicas: [], lost: [] }],
};

export function indexOperation(id: string, document: unknown): Operation {
  const source = Buffer.from(typeof document === 'string' ? document : JSON.stringify(document));
  return {
    ...{ kind: 'index', id, autoId: false, routing: undefined, source },
    ...{ ifSeqNo: undefined, ifPrimaryTerm: undefined, version: undefined, versionType: 'internal' },
    ...{ retryOnConflict: 0, returnSource: false },
  };
}

const REQUEST = {
  ...{ ...COPY, primaryTerm: 1, bytes: 0, digest: 0, timeoutMs: 10_000, waitForActiveShards: 1 },
  ...{ refresh: 'false', requestId: 'r', opaqueId: undefined, traceId: undefined },
} as const;

export function admittedPrimary(operations: readonly Operation[], primaryTerm = 1): AdmittedShardRequest {
  const request = { ...REQUEST, primaryTerm, operations };
  return request as typeof request & AdmittedShardRequest;
}

export function admittedReplica(
  operations: readonly ReplicaOperation[],
  primaryTerm = 1,
): AdmittedReplicaRequest {
  const request = { ...REQUEST, primaryTerm, operations };
  return request as typeof request & AdmittedReplicaRequest;
}
