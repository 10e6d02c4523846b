import { describe, expect, it } from '@jest/globals';
import { arrivalsSince, LoadEstimate, workNow } from './load-estimate.ts';

/** m 5 with r0 10 per second: 50 per second in all. */
const ALL_PER_S = 50;
const OWN_PER_S = 10;
const PRIOR = 2;

function sample(work: number, acceptedTotal: number, drainPerS: number | null = 80) {
  return { work, drain_per_s: drainPerS, oldest_waiting_ms: 0, accepted_total: acceptedTotal };
}

describe('the estimate of load', () => {
  it('R1: an unknown drain rate leaves its term out, and nothing is NaN', () => {
    expect(workNow(100, 50, null, 1)).toBe(150);
    expect(arrivalsSince(0, 0, 0, 0, 1)).toBe(0);
    const estimate = new LoadEstimate();
    expect(estimate.delayMs(0)).toBeUndefined();
    estimate.apply(sample(100, 0, null), 0);
    expect(estimate.delayMs(1_000)).toBe(0);
  });

  it('R2: published 100, m 5, n0 2, r0 10/s, drain 80/s, age 1 s: own 10 gives 70, own 0 gives 28.3', () => {
    expect(workNow(100, arrivalsSince(ALL_PER_S, OWN_PER_S, PRIOR, 10, 1), 80, 1)).toBeCloseTo(70, 10);
    expect(workNow(100, arrivalsSince(ALL_PER_S, OWN_PER_S, PRIOR, 0, 1), 80, 1)).toBeCloseTo(28.33, 2);
  });

  it('R3: at age 3 s it is 0 and not below', () => {
    expect(workNow(100, arrivalsSince(ALL_PER_S, OWN_PER_S, PRIOR, 10, 3), 80, 3)).toBe(0);
  });

  it('R4: a new boot resets m and the drain rate', () => {
    const estimate = new LoadEstimate();
    estimate.apply(sample(0, 0), 0);
    estimate.noteAdmitted(10);
    estimate.apply(sample(0, 50), 1_000);
    expect(estimate.scale).toBe(5);
    estimate.reset();
    expect(estimate.scale).toBe(1);
    expect(estimate.drained(5_000)).toBe(0);
    expect(estimate.delayMs(5_000)).toBeUndefined();
  });

  it('R5: m is never below 1, also before the first sample', () => {
    const estimate = new LoadEstimate();
    expect(estimate.scale).toBe(1);
    estimate.apply(sample(0, 0), 0);
    estimate.noteAdmitted(100);
    estimate.apply(sample(0, 10), 1_000);
    expect(estimate.scale).toBe(1);
  });

  it('never takes less to have arrived than this reader sent itself', () => {
    const estimate = new LoadEstimate();
    estimate.apply(sample(0, 0), 0);
    estimate.noteAdmitted(50);
    expect(estimate.arrivals(0)).toBe(50);
    expect(estimate.arrivals(100)).toBe(50);
  });

  it('learns rates over half a second at least, however often samples come', () => {
    const estimate = new LoadEstimate();
    for (let at = 0; at <= 10; at++) {
      estimate.apply(sample(0, at * 5), at * 100);
      estimate.noteAdmitted(1);
    }
    expect(estimate.scale).toBeCloseTo(5, 10);
  });

  it('takes back what a guard refused, and believes the delay it told', () => {
    const estimate = new LoadEstimate();
    estimate.apply(sample(0, 0), 0);
    estimate.noteAdmitted(40);
    estimate.noteRefused(40);
    expect(estimate.delayMs(0)).toBe(0);
    estimate.correct(600, 10);
    expect(estimate.delayMs(10)).toBeCloseTo(600, 6);
    expect(estimate.delayMs(310)).toBeCloseTo(300, 6);
  });

  it('W1: a burst on stale figures lands on one node after the other; with what was sent counted it spreads', () => {
    const real = [3.4, 2.3, 4.5];
    const seen = real.map((work) => work);
    const leastOf = (loads: readonly number[]) => loads.indexOf(Math.min(...loads));
    const afterBursts: number[][] = [];
    for (let burst = 0; burst < 3; burst++) {
      const node = leastOf(seen);
      for (let sent = 0; sent < 50; sent++) real[node] = (real[node] ?? 0) + 1;
      seen.splice(0, seen.length, ...real);
      afterBursts.push([...real]);
    }
    expect(afterBursts.map((loads) => loads.map((load) => load.toFixed(1)).join('/'))).toEqual([
      '3.4/52.3/4.5',
      '53.4/52.3/4.5',
      '53.4/52.3/54.5',
    ]);

    const estimates = [3.4, 2.3, 4.5].map((work) => {
      const estimate = new LoadEstimate();
      estimate.apply(sample(work, 0, 1), 0);
      return estimate;
    });
    const delays = () => estimates.map((estimate) => estimate.delayMs(0) ?? 0);
    for (let sent = 0; sent < 50; sent++) estimates[leastOf(delays())]?.noteAdmitted(1);
    expect(Math.max(...delays()) - Math.min(...delays())).toBeLessThanOrEqual(1_000);
  });
});
