// Brings an admitted shard request to its primary and gives back a result for every operation of it, whatever happens on the way.
import { delay, type ItemFailure, type ItemResult } from '@weir/shared';
import type { BulkDependencies } from './bulk-dependencies.ts';
import type { ShardGroup } from './shard-group.ts';
import { type ForwardContext, type Step, type TryPorts, tryShard } from './try-shard.ts';

export type ForwardPorts = TryPorts & Pick<BulkDependencies, 'metrics' | 'timers'>;

/** A node that restarts is back by then; waiting the client's whole minute would fill this process with work for one dead node. */
const RETRY_WINDOW_MS = 2_000;
const FIRST_PAUSE_MS = 50;

/** One result per operation, or one failure that holds for all of them. */
export async function forwardShard(
  group: ShardGroup,
  context: ForwardContext,
  ports: ForwardPorts,
): Promise<readonly ItemResult[] | ItemFailure> {
  const startMs = ports.clock.nowMs();
  const step = await tryUntil(Math.min(context.deadlineMs, startMs + RETRY_WINDOW_MS), group, context, ports);
  const outcome = step.outcome === 'again' ? 'failed' : step.outcome;
  const seconds = (ports.clock.nowMs() - startMs) / 1_000;
  ports.metrics.shardRequestSeconds.observe({ role: 'coordinator', outcome }, seconds);
  return step.outcome === 'applied' ? step.results : step.failure;
}

/** Tries again only what had no effect; the gate has decided and is not asked twice. */
async function tryUntil(
  endMs: number,
  group: ShardGroup,
  context: ForwardContext,
  ports: ForwardPorts,
): Promise<Step> {
  for (let tries = 0; ; tries += 1) {
    const step = await tryShard(group, context, ports);
    if (step.outcome !== 'again') return step;
    ports.topology.refreshSoon();
    const pauseMs = FIRST_PAUSE_MS * 2 ** tries;
    if (ports.clock.nowMs() + pauseMs >= endMs) return step;
    await delay(ports.timers, pauseMs);
  }
}
