import { describe, expect, it } from '@jest/globals';
import { WritePool } from './write-pool.ts';

function after(...readings: readonly [queue: number, active: number, completed: number][]): WritePool {
  const pool = new WritePool();
  readings.forEach(([queue, active, completed], second) => {
    pool.observe({ queue, active, completed }, second * 1_000);
  });
  return pool;
}

describe("a node's write pool", () => {
  it('makes nobody wait while nothing queues there, however busy its threads are', () => {
    expect(new WritePool().delayMs()).toBe(0);
    expect(after([0, 2, 0], [0, 2, 1]).delayMs()).toBe(0);
  });

  it('makes new work wait for what is before it, at the rate seen while work queued', () => {
    expect(after([8, 2, 0], [18, 2, 40]).delayMs()).toBe(500);
  });

  it('says nothing of a queue that was just not there: the rate before it is what came, not what can be done', () => {
    expect(after([0, 0, 0], [18, 2, 1]).delayMs()).toBe(0);
  });

  it('averages its rate over some seconds', () => {
    const pool = after([8, 2, 0], [18, 2, 40], [18, 2, 40 + 80]);
    expect(pool.delayMs()).toBeGreaterThan(20 / 0.08);
    expect(pool.delayMs()).toBeLessThan(500);
  });

  it('has waited as long as it got nothing done', () => {
    expect(after([8, 2, 7], [8, 2, 7], [8, 2, 7], [8, 2, 7]).delayMs()).toBe(3_000);
  });

  it('learns anew after its node started again, and knows nothing once it is forgotten', () => {
    expect(after([8, 2, 500], [18, 2, 540], [18, 2, 3]).delayMs()).toBe(0);
    const pool = after([8, 2, 0], [18, 2, 40]);
    pool.forget();
    expect(pool.delayMs()).toBe(0);
  });
});
