import { describe, expect, it } from '@jest/globals';
import { DEFAULT_SETTINGS, settingsWith, statsOfNode } from '../testing/index.ts';
import { ClusterView } from '../view/cluster-view.ts';
import { decideShard } from './decide-shard.ts';
import { CALM } from './node-stress.ts';
import { StressStates } from './stress-states.ts';
import { ADMIT, ADMIT_UNKNOWN } from './verdict.ts';

const OWN = { name: 'co1', stress: CALM };

function factsOf(replicas: readonly string[] = []) {
  const asked = { digests: 0 };
  const digest = () => {
    asked.digests += 1;
    return 42;
  };
  return { asked, facts: { index: 'logs-a', shard: 0, primary: 'id-dn1', replicas, digest } };
}

function momentOf(settings = DEFAULT_SETTINGS, epoch = 1) {
  return { nowMs: 0, settings, shed: { epoch, salt: 7 } };
}

function viewOf(workAtDn1: number): ClusterView {
  const view = new ClusterView(() => DEFAULT_SETTINGS);
  view.apply(statsOfNode('dn1', { work: workAtDn1, drain_per_s: 80 }), 0);
  return view;
}

describe('the gate', () => {
  it('takes no digest while nothing is shed, and one while something is', () => {
    const calm = factsOf();
    expect(decideShard(calm.facts, viewOf(10), OWN, momentOf())).toBe(ADMIT);
    expect(calm.asked.digests).toBe(0);
    const shed = factsOf();
    decideShard(shed.facts, viewOf(1_000), OWN, momentOf());
    expect(shed.asked.digests).toBe(1);
  });

  it('I5: admits and says so where nothing is known of the primary, also while something else is shed', () => {
    const unheard = new ClusterView(() => DEFAULT_SETTINGS);
    expect(decideShard(factsOf().facts, unheard, OWN, momentOf())).toBe(ADMIT_UNKNOWN);
    const own = new StressStates();
    own.observe({ heap: { fast: 81, slow: 81, quality: 'ok' } }, 0, DEFAULT_SETTINGS);
    const stressed = { name: 'co1', stress: own.stressOf('coordinator', 0, 0, DEFAULT_SETTINGS) };
    const verdicts = Array.from({ length: 20 }, (_, epoch) =>
      decideShard(factsOf().facts, unheard, stressed, momentOf(DEFAULT_SETTINGS, epoch)),
    );
    expect(verdicts).toContain(ADMIT_UNKNOWN);
    expect(verdicts).not.toContain(ADMIT);
    expect(verdicts.some((verdict) => verdict.kind === 'refuse')).toBe(true);
  });

  it('looks at nothing where early refusal is switched off', () => {
    const settings = settingsWith({ coordinatorEnabled: false });
    expect(decideShard(factsOf().facts, viewOf(1_000), OWN, momentOf(settings))).toBe(ADMIT);
  });

  it('tells who refused, why, value, limit, age and how long to wait', () => {
    const view = viewOf(1_000);
    const settings = settingsWith({ maxShedRatio: 1 });
    const verdict = decideShard(factsOf().facts, view, OWN, { ...momentOf(settings), nowMs: 100 });
    expect(verdict).toEqual({
      kind: 'refuse',
      evidence: {
        reason: 'primary_stressed',
        role: 'primary',
        node: 'dn1',
        signal: 'queue',
        value: 12_400,
        limit: 400,
        stress: 1,
        ageMs: 100,
        retryAfterMs: expect.any(Number),
      },
    });
  });
});
