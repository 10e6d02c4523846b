// The gate: may this shard request leave the coordinator? Decided once, before anything of the request has run.
import {
  type DecisionMoment,
  decideShard,
  type EvidenceView,
  type ItemFailure,
  momentOf,
  type OwnEvidence,
  type Verdict,
} from '@weir/shared';
import type { BulkDependencies } from './bulk-dependencies.ts';
import { refusalFailure } from './refusal-item.ts';
import type { RequestIdentity } from './request-identity.ts';
import type { ShardGroup } from './shard-group.ts';

type Ports = Pick<
  BulkDependencies,
  'clock' | 'name' | 'ownStress' | 'recorder' | 'salt' | 'settings' | 'view'
>;

/** What all decisions of one request share: one moment, one version of the settings, one look at this coordinator. */
export type DecisionRound = {
  readonly view: EvidenceView;
  readonly own: OwnEvidence;
  readonly moment: DecisionMoment;
  readonly identity: RequestIdentity;
  readonly recorder: BulkDependencies['recorder'];
};

export function decisionRound(identity: RequestIdentity, ports: Ports): DecisionRound {
  const { clock, name, ownStress, recorder, salt, settings, view } = ports;
  const moment = momentOf(clock, settings(), salt);
  return { view, own: { name, stress: ownStress() }, moment, identity, recorder };
}

/** The refusal of each group that is refused. */
export function evaluateShards(
  groups: readonly ShardGroup[],
  round: DecisionRound,
): ReadonlyMap<ShardGroup, ItemFailure> {
  const { view, own, moment } = round;
  const refused = new Map<ShardGroup, ItemFailure>();
  for (const group of groups) {
    const { index, shard, bytes } = group;
    const failure = recordDecision(decideShard(group, view, own, moment), {
      ...{ index, shard, operations: group.operations.length, bytes, round },
      subject: `shard request for [${index}][${shard}]`,
    });
    if (failure !== undefined) refused.set(group, failure);
  }
  return refused;
}

type Decided = {
  readonly index: string;
  readonly shard: number | undefined;
  readonly operations: number;
  readonly bytes: number;
  /** What is decided upon, in words. */
  readonly subject: string;
  readonly round: DecisionRound;
};

/** Records a verdict; returns the failure of what it refuses. */
export function recordDecision(verdict: Verdict, decided: Decided): ItemFailure | undefined {
  const { index, shard, operations, bytes, subject, round } = decided;
  const decisionId = round.recorder.record(verdict, {
    role: verdict.kind === 'admit' ? 'primary' : verdict.evidence.role,
    ...{ index, shard, operations, bytes },
    ...round.identity,
    settingsVersion: round.moment.settings.version,
  });
  if (verdict.kind !== 'refuse') return undefined;
  return refusalFailure({ evidence: verdict.evidence, subject, bytes, permanent: false, decisionId });
}
