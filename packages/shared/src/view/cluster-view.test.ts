import { describe, expect, it } from '@jest/globals';
import { DEFAULT_SETTINGS, settingsWith, statsOfNode } from '../testing/index.ts';
import { ClusterView } from './cluster-view.ts';
import { reportNodes } from './view-report.ts';

const HOT = { cpu: { fast: 99, slow: 99, quality: 'ok' as const } };
const SETTINGS = settingsWith({ corroborate: false });

function viewOf(): ClusterView {
  return new ClusterView(() => SETTINGS);
}

describe('the view of the data nodes', () => {
  it('takes in a sample once: by its boot id and sequence, whichever way it comes', () => {
    const view = viewOf();
    expect(view.apply(statsOfNode('dn1', { seq: 3 }), 0)).toBe(true);
    expect(view.apply(statsOfNode('dn1', { seq: 3 }), 1_000)).toBe(false);
    expect(view.apply(statsOfNode('dn1', { seq: 2 }), 1_000)).toBe(false);
    expect(view.node('id-dn1')?.ageMs(1_000)).toBe(1_000);
    expect(view.apply(statsOfNode('dn1', { seq: 4 }), 1_000)).toBe(true);
    expect(view.node('id-dn1')?.ageMs(1_000)).toBe(0);
  });

  it('R4: follows a node into its next start and hears no more of the one before', () => {
    const view = viewOf();
    view.apply(statsOfNode('dn1', { boot_id: 'a', seq: 900, work: 90, drain_per_s: 80 }), 0);
    expect(view.apply(statsOfNode('dn1', { boot_id: 'b', seq: 1, drain_per_s: null }), 1_000)).toBe(true);
    expect(view.apply(statsOfNode('dn1', { boot_id: 'a', seq: 901 }), 1_001)).toBe(false);
    expect(view.node('id-dn1')?.stats.boot_id).toBe('b');
    expect(view.node('id-dn1')?.load.drained(5_000)).toBe(0);
  });

  it('C096: knows a node for the time its evidence lives, then not, and counts it as gone after six times that', () => {
    const view = viewOf();
    view.apply(statsOfNode('dn1', {}), 0);
    const standing = (nowMs: number) => view.node('id-dn1')?.standing(nowMs, SETTINGS);
    expect([5_000, 5_001, 30_000, 30_001].map(standing)).toEqual(['known', 'unknown', 'unknown', 'gone']);
  });

  it('C112: an introduced node has an address and no evidence until a newer sample is heard', () => {
    const view = viewOf();
    view.introduce(statsOfNode('dn1', { seq: 7, signals: HOT }), 0);
    expect(view.node('id-dn1')?.standing(0, SETTINGS)).toBe('unknown');
    expect(view.apply(statsOfNode('dn1', { seq: 7, signals: HOT }), 10)).toBe(false);
    expect(view.apply(statsOfNode('dn1', { seq: 8, signals: HOT }), 20)).toBe(true);
    expect(view.node('id-dn1')?.standing(20, SETTINGS)).toBe('known');
    view.introduce(statsOfNode('dn1', { seq: 7 }), 30);
    expect(view.node('id-dn1')?.stats.seq).toBe(8);
  });

  it('counts what its owner sends, and believes a guard that refuses it', () => {
    const view = viewOf();
    view.apply(statsOfNode('dn1', { drain_per_s: 80 }), 0);
    view.noteAdmitted('id-dn1', 40);
    view.noteAdmitted('nobody', 40);
    const node = view.node('id-dn1');
    expect(node?.load.delayMs(0)).toBe(500);
    const refusal = {
      reason: 'primary_limit',
      role: 'primary',
      node: 'dn1',
      signal: 'queue',
      value: 720,
      limit: 667,
      stress: 0.5,
      ageMs: 0,
      retryAfterMs: 1_000,
    } as const;
    view.noteNotArrived('id-dn1', 40);
    view.noteRejectedByNode('id-dn1', refusal, 10);
    expect(node?.load.delayMs(10)).toBeCloseTo(720, 6);
    view.noteRejectedByNode('id-dn1', { ...refusal, signal: 'heap', value: 99 }, 20);
    expect(node?.load.delayMs(20)).toBeCloseTo(710, 6);
  });

  it('forgets a node that has been silent for an hour once another one comes', () => {
    const view = viewOf();
    view.apply(statsOfNode('dn1', {}), 0);
    view.apply(statsOfNode('dn2', {}), 3_600_001);
    expect([...view.nodes()].map((node) => node.name)).toEqual(['dn2']);
  });
});

describe('the report of the view', () => {
  it('shows state, age, signals with their limits, the estimate and what would be refused', () => {
    const view = new ClusterView(() => DEFAULT_SETTINGS);
    view.apply(statsOfNode('dn1', { seq: 5, work: 34, drain_per_s: 80, signals: HOT }), 0);
    const report = reportNodes(view, 0, DEFAULT_SETTINGS)['dn1'];
    expect(report).toMatchObject({
      id: 'id-dn1',
      address: 'http://127.0.0.1:9300',
      state: 'stressed',
      age_ms: 0,
      seq: 5,
      culprit: 'cpu',
      delay_ms: 425,
      estimate: { published: 34, arrivals: 0, drained: 0, m: 1 },
    });
    expect(report?.signals.cpu).toMatchObject({
      value: 99,
      quality: 'ok',
      primary: { state: 'stressed', stress: 0.583 },
    });
    expect(report?.signals.heap).toMatchObject({ value: null, quality: 'unavailable' });
    expect(report?.would_refuse.primary).toBeCloseTo(0.583, 3);
    expect(report?.would_refuse.replica).toBe(0);
  });

  it('never shows a node as stressed that is unknown or gone', () => {
    const view = viewOf();
    view.apply(statsOfNode('dn1', { signals: HOT }), 0);
    expect(reportNodes(view, 0, SETTINGS)['dn1']?.state).toBe('stressed');
    for (const [nowMs, state] of [
      [6_000, 'unknown'],
      [31_000, 'gone'],
    ] as const) {
      const report = reportNodes(view, nowMs, SETTINGS)['dn1'];
      expect(report).toMatchObject({
        state,
        age_ms: nowMs,
        culprit: 'none',
        would_refuse: { primary: 0, replica: 0 },
      });
    }
  });

  it('keeps two nodes of one name apart', () => {
    const view = viewOf();
    view.apply(statsOfNode('dn1', {}), 0);
    view.apply({ ...statsOfNode('dn1', {}), id: 'other' }, 0);
    expect(Object.keys(reportNodes(view, 0, SETTINGS))).toEqual(['dn1', 'dn1 (other)']);
    view.apply(statsOfNode('dn1', { id: 'other', seq: 2 }), 1_000);
    expect(reportNodes(view, 1_000, SETTINGS)['dn1']?.id).toBe('other');
  });
});
