// What the data path at a node is put together from, and the last step that both roles share: a measured answer that never throws.
import {
  type ErrorCode,
  type Metrics,
  type NodeStats,
  type OperationResult,
  type ShardRequest,
  toWeirError,
} from '@weir/shared';
import type { CopyRef, Engine } from '../engine/engine.ts';
import type { Guard } from './admit-shard.ts';
import type { ReplicaPorts } from './call-replica.ts';
import type { FindPorts } from './find-copy.ts';
import type { InSyncCopies } from './in-sync-copies.ts';

/** Counts work, a part of this bulk, from now until the returned function is called. */
type BeginWork = (work: number, operations: number, bulk: string | undefined) => () => void;

export type ShardPorts = ReplicaPorts &
  FindPorts & {
    /** How long a primary may take to have its replicas' answers; the answer leaves by then, whatever the client still allows. */
    readonly primaryTimeoutMs: number;
    /** A node that is known to be calm is asked for no permit. */
    readonly isCalm: (nodeId: string) => boolean;
    readonly engine: Engine;
    readonly guard: Guard;
    readonly inSync: Pick<InSyncCopies, 'drop' | 'lacksWrite'>;
    readonly beginWork: BeginWork;
    /** This node's newest reading, sent with every answer. */
    readonly stats: () => NodeStats;
    readonly seconds: Metrics['shardRequestSeconds'];
  };

export type Applied = { readonly outcome: 'applied'; readonly results: OperationResult[] };

/** Makes a write visible to search where its client asked for that. A refresh that fails loses no data: it fails neither write nor copy. */
export async function refreshIfAsked(
  request: CopyRef & Pick<ShardRequest, 'refresh'>,
  engine: Engine,
): Promise<void> {
  if (request.refresh !== 'false') await engine.refresh(request).catch(() => undefined);
}

/** The answer as it leaves: with this node's newest stats, its time measured, and `failed` in place of anything thrown. */
export async function answered<Answer extends { readonly outcome: string }>(
  role: 'primary' | 'replica',
  answer: Promise<Answer>,
  { clock, seconds, stats }: Pick<ShardPorts, 'clock' | 'seconds' | 'stats'>,
): Promise<(Answer | Failed) & { stats: NodeStats }> {
  const startMs = clock.nowMs();
  const known = await answer.catch(failed);
  seconds.observe({ role, outcome: known.outcome }, (clock.nowMs() - startMs) / 1_000);
  return { ...known, stats: stats() };
}

type Failed = { readonly outcome: 'failed'; readonly code: ErrorCode; readonly message: string };

function failed(thrown: unknown): Failed {
  const { code, message } = toWeirError(thrown);
  return { outcome: 'failed', code, message };
}
