import { describe, expect, it } from '@jest/globals';
import { DEFAULT_SETTINGS } from '../testing/index.ts';
import { retryAfterMs, waitUnderStress, waitWhileFalling } from './retry-after.ts';
import { StressStates } from './stress-states.ts';

const HALF = 0x8000_0000;

describe('how long a refused client waits', () => {
  it('is the way to the leave limit at the slope of a falling average', () => {
    expect(waitWhileFalling(95, 85, 2 / 1_000)).toBe(5_000);
  });

  it('is the minimum, doubled each time the stress has lasted twice as long', () => {
    expect([0, 999, 1_000, 2_999, 3_000, 7_000].map((ms) => waitUnderStress(ms, 1_000))).toEqual([
      1_000, 1_000, 2_000, 2_000, 4_000, 8_000,
    ]);
  });

  it('stays within its bounds and is spread by ± 20 % inside them', () => {
    const waits = (waitMs: number) =>
      [0, HALF, 0xffff_ffff].map((digest) => retryAfterMs(waitMs, digest, DEFAULT_SETTINGS));
    expect(waits(0)).toEqual([1_000, 1_250, 1_500]);
    expect(waits(10_000)).toEqual([8_000, 10_000, 12_000]);
    expect(waits(1e12)).toEqual([40_000, 50_000, 60_000]);
    expect(waits(Number.NaN)).toEqual([1_000, 1_250, 1_500]);
  });

  it('is one value where the bounds are', () => {
    const settings = { ...DEFAULT_SETTINGS, retryAfter: { enabled: true, minMs: 5_000, maxMs: 5_000 } };
    for (const digest of [0, HALF, 0xffff_ffff]) expect(retryAfterMs(1, digest, settings)).toBe(5_000);
  });

  it('follows the culprit: falling heap by its slope, a queue by its time under stress', () => {
    const states = new StressStates();
    const heap = (slow: number) => ({ heap: { fast: slow, slow, quality: 'ok' as const } });
    states.observe(heap(90), 0, DEFAULT_SETTINGS);
    states.observe(heap(88), 1_000, DEFAULT_SETTINGS);
    // From 88 to 75 at 2 points a second.
    expect(states.stressOf('primary', 0, 1_000, DEFAULT_SETTINGS).waitMs).toBeCloseTo(6_500, 6);
    const calm = new StressStates();
    calm.stressOf('primary', 600, 0, DEFAULT_SETTINGS);
    expect(calm.stressOf('primary', 600, 3_500, DEFAULT_SETTINGS).waitMs).toBe(4_000);
  });
});
