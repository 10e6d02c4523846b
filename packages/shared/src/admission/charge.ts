// From stress to verdict: is this request refused for one of these charges, would it be, and on which evidence?
import type { DecisionMoment } from './decision-moment.ts';
import type { NodeStress, Stress } from './node-stress.ts';
import { clamp } from './ramp.ts';
import type { RefusalReason } from './reasons.ts';
import { retryAfterMs } from './retry-after.ts';
import { shedPlace } from './shed.ts';
import type { Role } from './signals.ts';
import type { Verdict } from './verdict.ts';

/** The shard request as the shedding hash sees it. */
export interface ShedSubject {
  readonly index: string;
  readonly shard: number;
  /** Hash of the request's content; asked for only while something is shed. */
  digest(): number;
}

/** A stress that may refuse, with who it belongs to. */
export type Charge = {
  readonly reason: RefusalReason;
  readonly role: Role;
  readonly node: string;
  readonly ageMs: number;
  readonly stress: NodeStress;
};

/** Share of requests a stress refuses, held below the most that may be shed; what is not finite refuses nothing. */
export function shedShare(stress: number, maxShedRatio: number): number {
  return Number.isFinite(stress) ? clamp(stress, 0, maxShedRatio) : 0;
}

/** The first charge that refuses the request; else the first that would if monitored signals refused; else `otherwise`. */
export function judge(
  charges: readonly Charge[],
  subject: ShedSubject,
  moment: DecisionMoment,
  otherwise: Verdict,
): Verdict {
  const digest = subject.digest();
  const place = shedPlace(digest, subject.index, subject.shard, moment.shed);
  for (const charge of charges) {
    const share = shedShare(charge.stress.stress, moment.settings.admission.maxShedRatio);
    if (place < share) return refusal('refuse', charge, charge.stress, share, digest, moment);
  }
  for (const charge of charges) {
    const share = shedShare(charge.stress.would.stress, moment.settings.admission.maxShedRatio);
    if (place < share) return refusal('would_refuse', charge, charge.stress.would, share, digest, moment);
  }
  return otherwise;
}

function refusal(
  kind: 'refuse' | 'would_refuse',
  charge: Charge,
  stress: Stress,
  share: number,
  digest: number,
  moment: DecisionMoment,
): Verdict {
  const evidence = {
    reason: charge.reason,
    role: charge.role,
    node: charge.node,
    signal: stress.culprit,
    value: stress.value,
    limit: stress.limit,
    stress: share,
    ageMs: charge.ageMs,
    retryAfterMs: retryAfterMs(stress.waitMs, digest, moment.settings),
  };
  return { kind, evidence };
}
