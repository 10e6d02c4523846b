// Brings what a primary applied to every in-sync copy, and says what may be acknowledged: true `_shards`, or nothing.
import {
  type CopyMetadata,
  ERROR_CODES,
  type IndexMetadata,
  type ReplicaOperation,
  type ShardsHeader,
  toWeirError,
} from '@weir/shared';
import type { AdmittedShardRequest } from './admitted.ts';
import { callReplica, type ReplicaFate, type ReplicaPorts, tryTimeoutMs } from './call-replica.ts';
import type { InSyncCopies } from './in-sync-copies.ts';
import { replicaFrames } from './replica-frames.ts';

type InSync = Pick<InSyncCopies, 'drop' | 'lacksWrite'>;

/** `reason` is why the write, though stored here, must not be acknowledged. */
export type Replicated =
  | { readonly acknowledged: true; readonly shards: ShardsHeader }
  | { readonly acknowledged: false; readonly reason: string };

type Failure = NonNullable<ShardsHeader['failures']>[number];
type Reached = { readonly failure?: Failure; readonly unacknowledged?: string };

/** Sends to all in-sync replicas at once and waits for the fate of each. */
export async function replicate(
  request: AdmittedShardRequest,
  operations: readonly ReplicaOperation[],
  metadata: IndexMetadata,
  ports: ReplicaPorts & { readonly inSync: InSync },
): Promise<Replicated> {
  const copies = metadata.shards[request.shard]?.replicas ?? [];
  const wanted = operations.length > 0 && copies.length > 0;
  const frames = wanted ? replicaFrames(request, operations, tryTimeoutMs(ports)) : [];
  const reached = await Promise.all(copies.map((copy) => reach(request, copy, frames, ports)));
  const unacknowledged = reached.find((one) => one.unacknowledged !== undefined)?.unacknowledged;
  if (unacknowledged !== undefined) return { acknowledged: false, reason: unacknowledged };
  const failures = reached.flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
  const shards = {
    total: 1 + metadata.number_of_replicas,
    successful: 1 + copies.length - failures.length,
    failed: failures.length,
    ...(failures.length === 0 ? {} : { failures }),
  };
  return { acknowledged: true, shards };
}

/** A copy that missed an earlier write gains nothing by this one: it has to leave the set. */
const LACKS_A_WRITE: ReplicaFate = {
  kind: 'lost',
  status: 'SERVICE_UNAVAILABLE',
  type: ERROR_CODES.unavailable.type,
  reason: 'the copy lacks an earlier write',
};

async function reach(
  request: AdmittedShardRequest,
  copy: CopyMetadata,
  frames: readonly Buffer[],
  ports: ReplicaPorts & { readonly inSync: InSync },
): Promise<Reached> {
  const fate = await bringAll(copy, frames, ports);
  if (fate.kind === 'applied') return {};
  if (fate.kind !== 'lost') return { unacknowledged: fate.reason };
  const { status, type, reason } = fate;
  try {
    // First the in-sync set, then the answer: a copy that missed an acknowledged write must never become primary.
    if ((await ports.inSync.drop(request, copy)) === 'stale')
      return { unacknowledged: 'another node has become primary of this shard' };
    return { failure: { node: copy.node, status, reason: { type, reason }, primary: false } };
  } catch (thrown) {
    const { message } = toWeirError(thrown);
    return {
      unacknowledged: `a replica failed (${reason}) and could not be taken out of the in-sync set: ${message}`,
    };
  }
}

/** One frame after another; the first that does not get there decides. */
async function bringAll(
  copy: CopyMetadata,
  frames: readonly Buffer[],
  ports: ReplicaPorts & { readonly inSync: InSync },
): Promise<ReplicaFate> {
  for (const frame of frames) {
    const fate = ports.inSync.lacksWrite(copy) ? LACKS_A_WRITE : await callReplica(copy, frame, ports);
    if (fate.kind !== 'applied') return fate;
  }
  return { kind: 'applied' };
}
