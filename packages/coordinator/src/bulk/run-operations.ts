// Runs parsed actions through the data path: route, decide all, forward what is admitted, and gather one result per action.
import type { ItemFailure, OperationResult } from '@weir/shared';
import type { AutoIds } from './auto-id.ts';
import type { BulkAction } from './bulk-action.ts';
import type { BulkDependencies } from './bulk-dependencies.ts';
import { evaluateShards } from './evaluate-shard.ts';
import { forwardShard, type Settle } from './forward-shard.ts';
import { OperationRouter } from './route-operations.ts';
import type { ShardGroup } from './shard-group.ts';
import type { ForwardContext } from './try-shard.ts';
import { WholeRefusal } from './whole-refusal.ts';

/** Results in the order of the actions, with the id of each. */
export type Outcome = {
  readonly ids: readonly (string | null)[];
  readonly results: readonly OperationResult[];
};

/** Throws WholeRefusal, with nothing applied, where the settings want it and any shard request is refused here. */
export async function runOperations(
  actions: readonly BulkAction[],
  context: ForwardContext,
  deps: BulkDependencies,
  autoIds: AutoIds,
): Promise<Outcome> {
  const { ids, failures, groups } = await new OperationRouter(deps, autoIds).route(actions);
  const results: OperationResult[] = new Array(actions.length);
  for (const [position, failure] of failures) results[position] = failure;
  const refused = evaluateShards(groups, context.identity, deps);
  const [refusal] = refused.values();
  if (refusal !== undefined && deps.settings().bulk.refusal === 'request')
    refuseWhole(refusal, actions, deps);
  const settle: Settle = (part, fate) => settleItems(results, part, fate);
  await Promise.all(
    groups.map(async (group) => {
      const failure = refused.get(group);
      if (failure === undefined) await forwardShard(group, context, deps, settle);
      else settle(group, failure);
    }),
  );
  return { ids, results };
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
  { positions }: ShardGroup,
  fate: readonly OperationResult[] | ItemFailure,
): void {
  positions.forEach((position, place) => {
    const result = 'error' in fate ? fate : fate[place];
    if (result !== undefined) results[position] = result;
  });
}
