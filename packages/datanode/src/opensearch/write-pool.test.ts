import { describe, expect, it } from '@jest/globals';
import { WritePool } from './write-pool.ts';

type Reading = readonly [queue: number, active: number, completed: number, own?: number];

/** A pool that was looked at once a second. */
function after(...readings: readonly Reading[]): WritePool {
  const pool = new WritePool();
  readings.forEach(([queue, active, completed, own = 0], second) => {
    pool.observe({ queue, active, completed }, own, second * 1_000);
  });
  return pool;
}

/** What it says at the moment of the last look. */
function delayAfter(...readings: readonly Reading[]): number {
  return after(...readings).delayMs((readings.length - 1) * 1_000);
}

describe("a node's write pool", () => {
  it('makes nobody wait while nothing queues there, however busy its threads are', () => {
    expect(new WritePool().delayMs(0)).toBe(0);
    expect(delayAfter([0, 2, 0], [0, 2, 1])).toBe(0);
  });

  it('makes new work wait for what is before it, at the rate seen while work queued', () => {
    expect(delayAfter([8, 2, 0], [18, 2, 40])).toBe(500);
  });

  it('counts nothing that came from here, for that is counted better where it is sent', () => {
    expect(delayAfter([8, 2, 0, 10], [18, 2, 40, 20])).toBe(0);
    expect(delayAfter([8, 2, 0, 10], [18, 2, 40, 16])).toBe(100);
    expect(delayAfter([8, 2, 0, 30], [18, 2, 40, 30])).toBe(0);
  });

  it('makes it wait the less the longer ago a burst was seen, for the work before it has gone on', () => {
    const pool = after([1, 2, 0, 3], [18, 2, 40]);
    expect([1_000, 1_200, 1_500, 1_900].map((nowMs) => pool.delayMs(nowMs))).toEqual([500, 300, 0, 0]);
  });

  it('makes it wait all the time for what was there at two looks', () => {
    const pool = after([8, 2, 0], [18, 2, 40]);
    expect([1_100, 1_500, 1_900].map((nowMs) => pool.delayMs(nowMs))).toEqual([400, 250, 250]);
  });

  it('says nothing of a queue that was just not there: the rate before it is what came, not what can be done', () => {
    expect(delayAfter([0, 0, 0], [18, 2, 1])).toBe(0);
  });

  it('averages its rate over some seconds', () => {
    const pool = after([8, 2, 0], [18, 2, 40], [18, 2, 40 + 80]);
    expect(pool.delayMs(2_000)).toBeGreaterThan(20 / 0.08);
    expect(pool.delayMs(2_000)).toBeLessThan(500);
  });

  it('has waited as long as it got nothing done, whoever sent it', () => {
    expect(delayAfter([8, 2, 7], [8, 2, 7], [8, 2, 7], [8, 2, 7, 10])).toBe(3_000);
  });

  it('learns anew after its node started again, and knows nothing once it is forgotten', () => {
    expect(delayAfter([8, 2, 500], [18, 2, 540], [18, 2, 3])).toBe(0);
    const pool = after([8, 2, 0], [18, 2, 40]);
    pool.forget();
    expect(pool.delayMs(1_000)).toBe(0);
  });
});
