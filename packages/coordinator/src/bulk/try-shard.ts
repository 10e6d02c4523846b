// One try to have a shard request done by its primary's node: what became of it, or that it may be tried again because nothing was.
import {
  type ErrorCode,
  type Evidence,
  type ItemFailure,
  type OperationResult,
  type ShardAnswer,
  type ShardMetadata,
  type ShardRequest,
  toWeirError,
  type UnsplitReason,
  whyUnacknowledged,
} from '@weir/shared';
import type { TopologyNode } from '../cluster/topology.ts';
import type { BulkDependencies } from './bulk-dependencies.ts';
import { failureItem, missingIndex } from './failure-item.ts';
import { refusalFailure } from './refusal-item.ts';
import type { RequestIdentity } from './request-identity.ts';
import type { ClientRequest } from './send-unsplit.ts';
import type { ShardGroup } from './shard-group.ts';

export type ForwardContext = Pick<ShardRequest, 'waitForActiveShards' | 'refresh'> & {
  readonly identity: RequestIdentity;
  readonly client: ClientRequest;
  /** Why all of it goes on unsplit, where it does. */
  readonly together: UnsplitReason | undefined;
  /** Until when the client waits. */
  readonly deadlineMs: number;
};

/** `again`: nothing was applied, and another look at the topology may help. */
export type Step =
  | { readonly outcome: 'applied'; readonly results: readonly OperationResult[] }
  | { readonly outcome: 'refused' | 'failed' | 'again'; readonly failure: ItemFailure };

export type TryPorts = Pick<
  BulkDependencies,
  'callPrimary' | 'clock' | 'sendUnsplit' | 'timeouts' | 'topology' | 'view' | 'whoReports'
>;

/**
 * The node's metadata and ours differ, and it looked before it did anything. Of a whole request `version_conflict` says that its primary term is
 * too old; as an item's 409 a client would take it for a conflict of its document.
 */
const NOTHING_DONE: ReadonlySet<ErrorCode> = new Set([
  'no_shard_available',
  'index_not_found',
  'version_conflict',
]);

type Target = { readonly node: TopologyNode; readonly shard: ShardMetadata };

export async function tryShard(group: ShardGroup, context: ForwardContext, ports: TryPorts): Promise<Step> {
  const target = findTarget(group, ports);
  if ('outcome' in target) return target;
  const { view, whoReports } = ports;
  const reporters = whoReports(copiesOf(target), context);
  for (const id of reporters) view.noteAdmitted(id, group.work);
  const step = await stepAt(target, group, context, ports);
  // It gave nobody work; counted once more with every try, it would make calm nodes look stressed.
  if (step.outcome === 'again' || step.outcome === 'refused')
    for (const id of reporters) view.noteNotArrived(id, group.work);
  return step;
}

async function stepAt(
  target: Target,
  group: ShardGroup,
  context: ForwardContext,
  ports: TryPorts,
): Promise<Step> {
  try {
    const answer = await send(group, target, context, ports);
    if (typeof answer === 'string')
      return { outcome: 'failed', failure: unavailable(group, whyUnacknowledged(answer)) };
    if (answer.stats !== undefined) ports.view.apply(answer.stats, ports.clock.nowMs());
    return stepOf(answer, group, target, ports);
  } catch (thrown) {
    const { message, fields } = toWeirError(thrown);
    if (fields['sent'] === false) return { outcome: 'again', failure: unavailable(group, message) };
    return { outcome: 'failed', failure: unavailable(group, whyUnacknowledged(message)) };
  }
}

/** An engine behind knows best what became of an index or of a primary; any of its nodes tells. */
const ANYWHERE: Target = {
  node: { id: '', name: 'any', address: '' },
  shard: { primary_term: 1, primary: null, replicas: [], lost: [] },
};

function findTarget(group: ShardGroup, { sendUnsplit, topology }: TryPorts): Target | Step {
  const found = findPrimary(group, topology);
  if (!('outcome' in found) || sendUnsplit === undefined) return found;
  topology.refreshSoon();
  return ANYWHERE;
}

/** Where the primary is by the newest metadata; operations routed for an index that is gone have nowhere to go. */
function findPrimary({ metadata, shard }: ShardGroup, topology: TryPorts['topology']): Target | Step {
  const current = topology.index(metadata.name);
  if (current?.uuid !== metadata.uuid) return { outcome: 'failed', failure: missingIndex(metadata.name) };
  const table = current.shards[shard];
  const primary = table?.primary;
  const where = `[${metadata.name}][${shard}]`;
  if (table === undefined || primary === null || primary === undefined)
    return {
      outcome: 'again',
      failure: failureItem('unavailable_shards', `${where} primary shard is not active`),
    };
  const node = topology.node(primary.node);
  if (node !== undefined) return { node, shard: table };
  const reason = `${where} primary shard is not active: its node [${primary.node}] is not known`;
  return { outcome: 'again', failure: failureItem('unavailable_shards', reason) };
}

/** The node's answer, or in words what came instead of one. */
async function send(
  group: ShardGroup,
  { node, shard }: Target,
  { client, deadlineMs, identity, waitForActiveShards, refresh }: ForwardContext,
  { callPrimary, clock, timeouts }: TryPorts,
): Promise<ShardAnswer | string> {
  const timeoutMs = Math.max(1, Math.min(timeouts.coordinatorMs, deadlineMs - clock.nowMs()));
  const request = {
    index: group.metadata.name,
    indexUuid: group.metadata.uuid,
    shard: group.shard,
    primaryTerm: shard.primary_term,
    operations: group.operations,
    bytes: group.bytes,
    digest: group.knownDigest,
    // The node keeps a margin of it for its way back, so that its answer comes before this call gives up.
    timeoutMs,
    waitForActiveShards,
    refresh,
    ...identity,
  };
  const replicaNodes = shard.replicas.map((replica) => replica.node);
  const answer = await callPrimary({ node, replicaNodes }, request, client);
  if (typeof answer === 'string') return answer;
  if (answer.outcome === 'applied' && answer.results.length !== group.operations.length)
    return `node [${node.name}] answered ${answer.results.length} results for ${group.operations.length} operations`;
  return answer;
}

function stepOf(answer: ShardAnswer, group: ShardGroup, target: Target, ports: TryPorts): Step {
  switch (answer.outcome) {
    case 'applied':
      return { outcome: 'applied', results: answer.results };
    case 'refused': {
      believe(answer.evidence, target, ports);
      const subject = `shard request for [${group.index}][${group.shard}]`;
      return { outcome: 'refused', failure: refusalFailure({ ...answer, subject, bytes: group.bytes }) };
    }
    case 'failed': {
      const known = NOTHING_DONE.has(answer.code);
      const failure =
        known && answer.code !== 'index_not_found'
          ? unavailable(group, answer.message)
          : failureItem(answer.code, answer.message, whereOf(group));
      return { outcome: known ? 'again' : 'failed', failure };
    }
  }
}

function unavailable(group: ShardGroup, why: string): ItemFailure {
  return failureItem('unavailable_shards', `[${group.index}][${group.shard}] ${why}`, whereOf(group));
}

function whereOf({ metadata, shard }: ShardGroup) {
  return { index: metadata.name, shard: String(shard), index_uuid: metadata.uuid };
}

/** The node that refused is corrected by what it found. */
function believe(evidence: Evidence, target: Target, { clock, view }: TryPorts): void {
  for (const id of copiesOf(target))
    if (view.node(id)?.name === evidence.node) view.noteRejectedByNode(id, evidence, clock.nowMs());
}

/** Ids of the nodes of all copies, the primary's first. */
function copiesOf({ node, shard }: Target): readonly string[] {
  return [node.id, ...shard.replicas.map((replica) => replica.node)];
}
