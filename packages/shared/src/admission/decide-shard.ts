// The gate: may this shard request go to its primary, as far as the coordinator can see?
// Why: a refusal before the hop costs nothing, one after it has already been paid for.
// Refuses when: the coordinator itself, the primary's node, or the least stressed of the live replicas' nodes is stressed.
// Cold start: a node nobody has heard of, or not lately, is unknown: its requests are admitted and counted.
// Recovers when: stress ends; at most `max_shed_ratio` is shed meanwhile, so that probes keep flowing.
import { watchesAnySignal } from '../settings/effective-settings.ts';
import { type Charge, judge, type ShedSubject } from './charge.ts';
import type { DecisionMoment } from './decision-moment.ts';
import type { EvidenceView, NodeEvidence } from './evidence-view.ts';
import { CALM, type NodeStress, UNKNOWN_STRESS } from './node-stress.ts';
import { ADMIT, ADMIT_UNKNOWN, type Verdict } from './verdict.ts';

/** What is to be decided: a shard request and where its copies are. */
export interface ShardFacts extends ShedSubject {
  /** Node id of the primary. */
  readonly primary: string;
  /** Node ids of the in-sync replicas. */
  readonly replicas: readonly string[];
}

/** The coordinator's own part in it. */
export type OwnEvidence = { readonly name: string; readonly stress: NodeStress };

/** Decides one shard request. Allocates nothing while everything is calm. */
export function decideShard(
  facts: ShardFacts,
  view: EvidenceView,
  own: OwnEvidence,
  moment: DecisionMoment,
): Verdict {
  const { settings, nowMs } = moment;
  if (!settings.admission.coordinatorEnabled || !watchesAnySignal(settings)) return ADMIT;
  const primary = view.node(facts.primary);
  const primaryStress = stressIfKnown(primary, 'primary', moment);
  const replica = replicaCharge(facts.replicas, view, moment);
  const otherwise = primaryStress.known ? ADMIT : ADMIT_UNKNOWN;
  if (!isAny(own.stress) && !isAny(primaryStress) && replica === undefined) return otherwise;

  const charges: Charge[] = [
    { reason: 'coordinator_stressed', role: 'coordinator', node: own.name, ageMs: 0, stress: own.stress },
  ];
  if (primary !== undefined) {
    const ageMs = primary.ageMs(nowMs);
    const node = primary.name;
    charges.push({ reason: 'primary_stressed', role: 'primary', node, ageMs, stress: primaryStress });
  }
  if (replica !== undefined) charges.push(replica);
  return judge(charges, facts, moment, otherwise);
}

function isAny(stress: NodeStress): boolean {
  return stress.would.stress > 0;
}

function stressIfKnown(
  node: NodeEvidence | undefined,
  role: 'primary' | 'replica',
  moment: DecisionMoment,
): NodeStress {
  if (node === undefined || node.standing(moment.nowMs, moment.settings) !== 'known') return UNKNOWN_STRESS;
  return node.stressOf(role, moment.nowMs, moment.settings);
}

/**
 * The charge of the live replica with the least stress, or undefined when replicas are no reason to refuse: none, none
 * of them alive (a dead node is a routing matter), one of unknown state, or one that is calm.
 */
function replicaCharge(
  replicas: readonly string[],
  view: EvidenceView,
  moment: DecisionMoment,
): Charge | undefined {
  let least: NodeEvidence | undefined;
  let leastStress = CALM;
  for (const id of replicas) {
    const node = view.node(id);
    if (node?.standing(moment.nowMs, moment.settings) === 'gone') continue;
    const stress = stressIfKnown(node, 'replica', moment);
    if (!isAny(stress)) return undefined;
    if (least === undefined || isLess(stress, leastStress)) {
      least = node;
      leastStress = stress;
    }
  }
  if (least === undefined) return undefined;
  const ageMs = least.ageMs(moment.nowMs);
  return { reason: 'all_replicas_stressed', role: 'replica', node: least.name, ageMs, stress: leastStress };
}

function isLess(one: NodeStress, other: NodeStress): boolean {
  return one.stress < other.stress || (one.stress === other.stress && one.would.stress < other.would.stress);
}
