// Brings an admitted shard request to its primary and gives back a result for every operation of it, whatever happens on the way.
import { delay, type ItemFailure, type OperationResult } from '@weir/shared';
import type { BulkDependencies } from './bulk-dependencies.ts';
import { showOldPicture } from './old-picture.ts';
import type { ShardGroup } from './shard-group.ts';
import { type ForwardContext, type Step, type TryPorts, tryShard } from './try-shard.ts';

export type ForwardPorts = TryPorts & Pick<BulkDependencies, 'metrics' | 'timers'>;

/** A node that restarts is back by then; waiting the client's whole minute would fill this process with work for one dead node. */
const RETRY_WINDOW_MS = 2_000;
const FIRST_PAUSE_MS = 50;

/** Called with a part of a group and its results in order, or the one failure that holds for all of them. */
export type Settle = (
  part: { readonly positions: readonly number[] },
  fate: readonly OperationResult[] | ItemFailure,
) => void;

/**
 * Forwards a group, a large one part by part: the next one is sent when the one before was applied, so that operations on one id keep their
 * order, and once a part was refused or failed the rest is not sent at all.
 */
export async function forwardShard(
  group: ShardGroup,
  context: ForwardContext,
  ports: ForwardPorts,
  settle: Settle,
): Promise<void> {
  let stopped: ItemFailure | undefined;
  for (const part of group.parts()) {
    const fate: readonly OperationResult[] | ItemFailure =
      stopped ?? (await forwardPart(part, context, ports));
    if (stopped === undefined && 'error' in fate) stopped = notSent(fate);
    settle(part, fate);
  }
}

/** The failure of what comes behind a part that failed: a refusal is the same refusal, anything else did not happen to it. */
function notSent(failure: ItemFailure): ItemFailure {
  if (failure.error.weir !== undefined) return failure;
  const reason = `not sent, because operations before it on the same shard failed: ${failure.error.reason}`;
  return { ...failure, error: { ...failure.error, reason } };
}

async function forwardPart(
  part: ShardGroup,
  context: ForwardContext,
  ports: ForwardPorts,
): Promise<readonly OperationResult[] | ItemFailure> {
  const startMs = ports.clock.nowMs();
  const step = await tryUntil(Math.min(context.deadlineMs, startMs + RETRY_WINDOW_MS), part, context, ports);
  const outcome = step.outcome === 'again' ? 'failed' : step.outcome;
  const seconds = (ports.clock.nowMs() - startMs) / 1_000;
  ports.metrics.shardRequestSeconds.observe({ role: 'coordinator', outcome }, seconds);
  if (step.outcome === 'applied' && showOldPicture(step.results)) ports.topology.refreshSoon();
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
