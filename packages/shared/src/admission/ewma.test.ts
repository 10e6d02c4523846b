import { describe, expect, it } from '@jest/globals';
import { Ewma } from './ewma.ts';

describe('a time-decayed average', () => {
  it('is unknown before the first reading and that reading after it', () => {
    const average = new Ewma(2_000);
    expect(average.value()).toBeUndefined();
    average.observe(50, 0);
    expect(average.value()).toBe(50);
  });

  it('comes the same way whatever the spacing of the samples', () => {
    const coarse = new Ewma(2_000);
    const fine = new Ewma(2_000);
    for (const average of [coarse, fine]) average.observe(0, 0);
    coarse.observe(100, 2_000);
    for (let at = 100; at <= 2_000; at += 100) fine.observe(100, at);
    expect(coarse.value()).toBeCloseTo(100 * (1 - Math.exp(-1)), 6);
    expect(fine.value()).toBeCloseTo(coarse.value() ?? 0, 6);
  });

  it('ignores what is not finite and gives no weight to a clock that stands still or runs back', () => {
    const average = new Ewma(2_000);
    average.observe(50, 1_000);
    for (const reading of [Number.NaN, Number.POSITIVE_INFINITY]) average.observe(reading, 5_000);
    average.observe(100, 1_000);
    average.observe(100, 500);
    expect(average.value()).toBe(50);
  });
});
