// A request the guard let through; only admit-shard.ts makes one, and only such a request can be applied (invariant I1).
import type { ReplicaRequest, ShardRequest } from '@weir/shared';

declare const admitted: unique symbol;

/** Decided once, before its first side effect. */
export type Admitted<Request> = Request & { readonly [admitted]: true };

export type AdmittedShardRequest = Admitted<ShardRequest>;
export type AdmittedReplicaRequest = Admitted<ReplicaRequest>;
