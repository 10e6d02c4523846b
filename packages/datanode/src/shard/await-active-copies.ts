// Are as many copies active as the client asked for? Waited for before the first side effect, so that a no leaves nothing stored.
import {
  type Clock,
  type CopyMetadata,
  type HttpClient,
  type IndexMetadata,
  type ShardRequest,
  type Timers,
  WeirError,
} from '@weir/shared';
import type { Peer } from './call-replica.ts';
import { pause } from './pause.ts';

export type ActiveCopiesPorts = {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly peer: (nodeId: string) => Peer | undefined;
  readonly closing: AbortSignal;
};

const ASK_EVERY_MS = 100;
const PROBE_TIMEOUT_MS = 1_000;

/**
 * Resolves once enough copies are active: this one, and each in-sync replica whose node answers (asked directly, since the bus may be away).
 * Throws `unavailable_shards` at the deadline. One copy or none needs no look: the primary is here.
 */
export async function awaitActiveCopies(
  request: ShardRequest,
  metadata: () => IndexMetadata | undefined,
  deadlineMs: number,
  ports: ActiveCopiesPorts,
): Promise<void> {
  const asked = request.waitForActiveShards;
  if (asked === 0 || asked === 1) return;
  const startMs = ports.clock.nowMs();
  for (;;) {
    const { active, needed } = await countActive(request, metadata(), deadlineMs, ports);
    if (active >= needed) return;
    const nowMs = ports.clock.nowMs();
    if (ports.closing.aborted || deadlineMs - nowMs <= ASK_EVERY_MS)
      throw new WeirError(
        'unavailable_shards',
        `[${request.index}][${request.shard}] Not enough active copies to meet shard count of [${asked}] (have ${active}, needed ${needed}), waited ${Math.round(nowMs - startMs)} ms`,
      );
    await pause(ASK_EVERY_MS, ports.timers, ports.closing);
  }
}

async function countActive(
  { shard, waitForActiveShards }: ShardRequest,
  metadata: IndexMetadata | undefined,
  deadlineMs: number,
  ports: ActiveCopiesPorts,
): Promise<{ readonly active: number; readonly needed: number }> {
  const needed =
    waitForActiveShards === 'all' ? 1 + (metadata?.number_of_replicas ?? 0) : waitForActiveShards;
  const replicas = metadata?.shards[shard]?.replicas ?? [];
  if (needed <= 1) return { active: 1, needed };
  return { active: 1 + (await countAnswering(replicas, deadlineMs - ports.clock.nowMs(), ports)), needed };
}

async function countAnswering(
  copies: readonly CopyMetadata[],
  leftMs: number,
  ports: ActiveCopiesPorts,
): Promise<number> {
  // A probe ends before the deadline, or the client would hear of a slow node only when it no longer listens.
  const timeoutMs = Math.max(1, Math.min(PROBE_TIMEOUT_MS, leftMs - ASK_EVERY_MS));
  const answering = await Promise.all(copies.map((copy) => answers(ports.peer(copy.node), timeoutMs, ports)));
  return answering.filter(Boolean).length;
}

async function answers(
  peer: Peer | undefined,
  timeoutMs: number,
  { http }: ActiveCopiesPorts,
): Promise<boolean> {
  if (peer === undefined) return false;
  try {
    const call = { origin: peer.address, path: '/livez', method: 'GET', timeoutMs } as const;
    return (await http.call(call)).status === 200;
  } catch {
    return false;
  }
}
