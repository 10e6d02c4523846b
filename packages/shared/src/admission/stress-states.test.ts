import { describe, expect, it } from '@jest/globals';
import { DEFAULT_SETTINGS, settingsWith, withSignal } from '../testing/index.ts';
import { CALM, UNKNOWN_STRESS } from './node-stress.ts';
import { StressStates } from './stress-states.ts';

const ok = (percent: number) => ({ fast: percent, slow: percent, quality: 'ok' as const });

describe('the stress of a node', () => {
  it('allocates nothing while calm or unknown: it is always the same object', () => {
    const states = new StressStates();
    expect(states.stressOf('primary', undefined, 0, DEFAULT_SETTINGS)).toBe(UNKNOWN_STRESS);
    states.observe({ cpu: ok(50) }, 0, DEFAULT_SETTINGS);
    expect(states.stressOf('primary', 10, 0, DEFAULT_SETTINGS)).toBe(CALM);
  });

  it('takes the larger average: quick to rise, slow to fall', () => {
    const states = new StressStates();
    const settings = settingsWith({ corroborate: false });
    states.observe({ cpu: { fast: 96, slow: 60, quality: 'ok' } }, 0, settings);
    expect(states.stressOf('primary', 0, 0, settings)).toMatchObject({
      culprit: 'cpu',
      value: 96,
      limit: 90,
    });
    states.observe({ cpu: { fast: 60, slow: 93, quality: 'ok' } }, 1_000, settings);
    expect(states.stressOf('primary', 0, 1_000, settings)).toMatchObject({ culprit: 'cpu', value: 93 });
  });

  it('I10: nothing that is not finite ever refuses', () => {
    const states = new StressStates();
    const settings = settingsWith({ corroborate: false });
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      states.observe({ cpu: ok(value), heap: { fast: value, slow: 99, quality: 'ok' } }, 0, settings);
      expect(states.stressOf('primary', value, 0, settings)).toBe(UNKNOWN_STRESS);
    }
  });

  it('has no io and no queue for a coordinator', () => {
    const states = new StressStates();
    const settings = settingsWith({ corroborate: false });
    states.observe({ io: ok(100) }, 0, settings);
    expect(states.stressOf('coordinator', 10_000, 0, settings).stress).toBe(0);
  });

  it('keeps what refuses and what only would apart', () => {
    const states = new StressStates();
    const settings = withSignal(settingsWith({ corroborate: false }), 'cpu', { mode: 'monitor_only' });
    states.observe({ cpu: ok(99), heap: ok(84) }, 0, settings);
    const stress = states.stressOf('primary', 0, 0, settings);
    expect(stress).toMatchObject({ culprit: 'heap', would: { culprit: 'cpu' } });
    expect(stress.would.stress).toBeGreaterThan(stress.stress);
  });

  it('tells how each signal stands, for the view', () => {
    const states = new StressStates();
    states.observe({ cpu: ok(97), heap: ok(50) }, 0, DEFAULT_SETTINGS);
    states.stressOf('primary', 400, 0, DEFAULT_SETTINGS);
    const standing = (signal: 'cpu' | 'heap' | 'io' | 'queue') =>
      states.standing(signal, 'primary', 400, DEFAULT_SETTINGS);
    expect(standing('cpu')).toEqual({ state: 'stressed', stress: 0.4 });
    expect(standing('heap')).toEqual({ state: 'calm', stress: 0 });
    expect(standing('io')).toEqual({ state: 'unknown', stress: 0 });
    expect(standing('queue').state).toBe('stressed');
  });
});
