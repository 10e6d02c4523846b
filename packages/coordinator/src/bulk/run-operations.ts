// Runs parsed actions through the data path: route, decide all, forward what is admitted, and gather one result per action.
import type { ItemFailure, OperationResult } from '@weir/shared';
import type { AutoIds } from './auto-id.ts';
import type { BulkAction } from './bulk-action.ts';
import type { BulkDependencies } from './bulk-dependencies.ts';
import { decisionRound, evaluateShards } from './evaluate-shard.ts';
import { evaluateUnsplit } from './evaluate-unsplit.ts';
import { failureItem } from './failure-item.ts';
import { forwardShard, type Settle } from './forward-shard.ts';
import { showOldPicture } from './old-picture.ts';
import { OperationRouter } from './route-operations.ts';
import type { UnsplitFate, WholeAnswer } from './send-unsplit.ts';
import type { ForwardContext } from './try-shard.ts';
import { unauthorizedAnswer } from './unauthorized.ts';
import type { UnsplitActions } from './unsplit-actions.ts';
import { WholeRefusal } from './whole-refusal.ts';

/** Results in the order of the actions, with the id of each. */
export type Outcome = {
  readonly ids: readonly (string | null)[];
  readonly results: readonly OperationResult[];
  /** An engine behind answered the whole request with something else than items. */
  readonly whole: WholeAnswer | undefined;
  readonly ingestTookMs: number | undefined;
};

/** Throws WholeRefusal, with nothing applied, where the settings want it and any part of the request is refused here. */
export async function runOperations(
  actions: readonly BulkAction[],
  context: ForwardContext,
  deps: BulkDependencies,
  autoIds: AutoIds,
): Promise<Outcome> {
  const router = new OperationRouter(deps, autoIds, context.together);
  const { ids, failures, groups, unsplit } = await router.route(actions);
  const results: OperationResult[] = new Array(actions.length);
  for (const [position, failure] of failures) results[position] = failure;
  const round = decisionRound(context.identity, deps);
  const refused = evaluateShards(groups, round);
  const unsplitRefusal = unsplit && evaluateUnsplit(unsplit, round, deps.topology);
  const [refusal = unsplitRefusal] = refused.values();
  if (refusal !== undefined && deps.settings().bulk.refusal === 'request')
    refuseWhole(refusal, actions, deps);
  const settle: Settle = (part, fate) => settleItems(results, part, fate);
  const forwarded = groups.map(async (group) => {
    const failure = refused.get(group);
    if (failure === undefined) await forwardShard(group, context, deps, settle);
    else settle(group, failure);
  });
  const fate = unsplit && (await forwardUnsplit(unsplit, unsplitRefusal, context, deps, settle));
  await Promise.all(forwarded);
  const isWhole = unsplit?.actions.length === actions.length;
  const whole = isWhole ? fate?.whole : unauthorizedAnswer(results);
  return { ids, results, whole, ingestTookMs: fate?.ingestTookMs };
}

/** Settles what cannot be split; gives the answer to it where one came. */
async function forwardUnsplit(
  part: UnsplitActions,
  refusal: ItemFailure | undefined,
  { client, deadlineMs }: ForwardContext,
  { clock, metrics, sendUnsplit, topology }: BulkDependencies,
  settle: Settle,
): Promise<UnsplitFate | undefined> {
  for (const [reason, count] of part.counts) metrics.unsplitOperations.inc({ reason }, count);
  if (refusal !== undefined || sendUnsplit === undefined) {
    settle(part, refusal ?? failureItem('internal', 'nothing takes what cannot be split'));
    return undefined;
  }
  const timeoutMs = Math.max(1, deadlineMs - clock.nowMs());
  const fate = await sendUnsplit({ client, actions: part.actions, timeoutMs });
  settle(part, fate.results);
  const mayHaveMadeOne = part.counts.has('unknown_index') || part.counts.has('no_primary');
  if (mayHaveMadeOne || showOldPicture(fate.results)) topology.refreshSoon();
  return fate;
}

function refuseWhole(
  failure: ItemFailure,
  actions: readonly BulkAction[],
  { metrics }: BulkDependencies,
): never {
  metrics.bulkOperations.inc({ outcome: 'refused' }, actions.length);
  throw new WholeRefusal(failure);
}

function settleItems(
  results: OperationResult[],
  { positions }: { readonly positions: readonly number[] },
  fate: readonly OperationResult[] | ItemFailure,
): void {
  positions.forEach((position, place) => {
    const result = 'error' in fate ? fate : fate[place];
    if (result !== undefined) results[position] = result;
  });
}
