// A request the guard let through; only admit-shard.ts makes one, and only such a request can be applied (invariant I1).
import type { ReplicaRequest, ShardRequest } from '@weir/shared';

declare const admitted: unique symbol;

/** A primary's shard request that was decided once, before its first side effect. */
export type AdmittedShardRequest = ShardRequest & { readonly [admitted]: true };
/** The same for a replica. */
export type AdmittedReplicaRequest = ReplicaRequest & { readonly [admitted]: true };
