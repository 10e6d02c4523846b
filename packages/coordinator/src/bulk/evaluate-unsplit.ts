// The gate for what cannot be split: judged against this coordinator and the worst node that it may well end at.
import {
  decideShard,
  type IndexMetadata,
  type ItemFailure,
  type ShardFacts,
  type Verdict,
} from '@weir/shared';
import type { Topology } from '../cluster/topology.ts';
import { type DecisionRound, recordDecision } from './evaluate-shard.ts';
import type { UnsplitActions } from './unsplit-actions.ts';

type Copies = Pick<ShardFacts, 'primary' | 'replicas'>;

/** The refusal of the part, or undefined where it may go on. */
export function evaluateUnsplit(
  part: UnsplitActions,
  round: DecisionRound,
  topology: Pick<Topology, 'nodes'>,
): ItemFailure | undefined {
  const verdict = worstVerdict(part, candidates(part, topology), round);
  return recordDecision(verdict, {
    ...{ index: part.index, shard: undefined, operations: part.actions.length, bytes: part.bytes, round },
    subject: `${part.actions.length} operations that cannot be split by shard,`,
  });
}

/** Where it may end: at the shards of the indices it names, at any node where one is unknown. */
function candidates(part: UnsplitActions, topology: Pick<Topology, 'nodes'>): readonly Copies[] {
  const known = [...part.likely.values()].flatMap(copiesOf);
  const anywhere = part.anywhere ? topology.nodes().map(({ id }) => ({ primary: id, replicas: [] })) : [];
  return [...known, ...anywhere];
}

/** One set of copies for each shard, each node only once as a primary: what is judged is nodes. */
export function copiesOf({ shards }: IndexMetadata): readonly Copies[] {
  const byPrimary = new Map<string, Copies>();
  for (const { primary, replicas } of shards)
    if (primary !== null && !byPrimary.has(primary.node))
      byPrimary.set(primary.node, { primary: primary.node, replicas: replicas.map(({ node }) => node) });
  return [...byPrimary.values()];
}

/** The first refusal, else the first that would be one; an admit is one without evidence only where none of the nodes is known. */
export function worstVerdict(
  subject: Pick<ShardFacts, 'index' | 'shard' | 'digest'>,
  copies: readonly Copies[],
  { view, own, moment }: DecisionRound,
): Verdict {
  const { index, shard } = subject;
  const digest = (): number => subject.digest();
  let worst: Verdict | undefined;
  for (const { primary, replicas } of copies.length > 0 ? copies : [{ primary: '', replicas: [] }]) {
    const verdict = decideShard({ index, shard, digest, primary, replicas }, view, own, moment);
    if (verdict.kind === 'refuse') return verdict;
    if (worst === undefined || rank(verdict) > rank(worst)) worst = verdict;
  }
  return worst ?? { kind: 'admit', unknown: true };
}

function rank(verdict: Verdict): number {
  if (verdict.kind !== 'admit') return 2;
  return verdict.unknown ? 0 : 1;
}
