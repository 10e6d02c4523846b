import { describe, expect, it } from '@jest/globals';
import { StressStates } from '../admission/stress-states.ts';
import { settingsWith } from '../testing/default-settings.ts';
import { NO_WINDOW } from './sampler.ts';
import { SignalTracker } from './signal-tracker.ts';

const BARE = settingsWith({ corroborate: false });

function steady(percent: number, fromMs: number, toMs: number, tracker = new SignalTracker()): SignalTracker {
  for (let nowMs = fromMs; nowMs <= toMs; nowMs += 500) tracker.observe(percent, nowMs);
  return tracker;
}

/** Share of requests that bare limits would refuse at this cpu reading. */
function stress(tracker: SignalTracker, nowMs: number): number {
  const states = new StressStates();
  states.observe({ cpu: tracker.reading(nowMs) }, nowMs, BARE);
  return states.stressOf('primary', undefined, nowMs, BARE).stress;
}

describe('a signal tracker', () => {
  it('knows nothing before the first sample', () => {
    const tracker = new SignalTracker();
    expect(tracker.reading(0)).toBeUndefined();
    tracker.observe(NO_WINDOW, 0);
    expect(tracker.reading(0)).toBeUndefined();
  });

  it('C090: is warming for 2 s and refuses nothing meanwhile, however high the first samples are', () => {
    const tracker = steady(100, 0, 1_500);
    expect(tracker.reading(1_500)?.quality).toBe('warming');
    expect(stress(tracker, 1_500)).toBe(0);
    steady(100, 2_000, 2_000, tracker);
    expect(tracker.reading(2_000)?.quality).toBe('ok');
    expect(stress(tracker, 2_000)).toBe(1);
  });

  it('rises with the fast average and falls with the slow one', () => {
    const tracker = steady(100, 10_500, 14_500, steady(0, 0, 10_000));
    const risen = tracker.reading(14_500);
    expect(risen?.fast).toBeCloseTo(100 * (1 - Math.exp(-4.5 / 2)), 6);
    expect(risen?.slow).toBeCloseTo(100 * (1 - Math.exp(-4.5 / 10)), 6);
    steady(0, 15_000, 18_500, tracker);
    const fallen = tracker.reading(18_500);
    expect(fallen?.slow).toBeGreaterThan(fallen?.fast ?? Number.NaN);
  });

  it.each([Number.NaN, undefined, null, '12', Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, {}, true])(
    'C092: counts %p as unavailable, never as a number',
    (bad) => {
      const tracker = steady(99, 0, 4_000);
      expect(stress(tracker, 4_000)).toBeGreaterThan(0);
      expect(tracker.observe(bad, 4_500)).toBe(false);
      const reading = tracker.reading(4_500);
      expect(reading).toEqual({ fast: 99, slow: 99, quality: 'unavailable' });
      expect(stress(tracker, 4_500)).toBe(0);
    },
  );

  it('C092: is available again with the next good sample', () => {
    const tracker = steady(50, 0, 4_000);
    tracker.observe(undefined, 4_500);
    expect(tracker.observe(50, 5_000)).toBe(true);
    expect(tracker.reading(5_000)?.quality).toBe('ok');
  });

  it('C087: clamps to 0–100', () => {
    expect(steady(1_857, 0, 4_000).reading(4_000)).toEqual({ fast: 100, slow: 100, quality: 'ok' });
    expect(steady(-3, 0, 4_000).reading(4_000)).toEqual({ fast: 0, slow: 0, quality: 'ok' });
  });

  it('C087: starts anew after a 14 s pause instead of taking one sample for the truth', () => {
    const tracker = steady(10, 0, 4_000);
    tracker.observe(100, 18_000);
    expect(tracker.reading(18_000)?.quality).toBe('warming');
    expect(stress(tracker, 18_000)).toBe(0);
  });

  it('C096: a value that is never renewed becomes unknown, be it 97 or 10', () => {
    for (const percent of [97, 10]) {
      const tracker = steady(percent, 0, 4_000);
      expect(tracker.reading(9_000)?.quality).toBe('ok');
      expect(tracker.reading(9_001)?.quality).toBe('unavailable');
      expect(stress(tracker, 9_001)).toBe(0);
    }
  });
});
