import { describe, expect, it } from '@jest/globals';
import { seededRng } from '@weir/shared/testing';
import { retryDelayMs } from './retry-delays.ts';

describe('the wait before a replica is tried again', () => {
  it('J1: lies in [1, 50] ms, then [1, 100], then [1, 200], and reaches both ends of each', () => {
    const rng = seededRng(7);
    for (const [attempt, boundMs] of [50, 100, 200].entries()) {
      const waits = Array.from({ length: 5_000 }, () => retryDelayMs(attempt, rng));
      expect([Math.min(...waits), Math.max(...waits)]).toEqual([1, boundMs]);
    }
  });

  it('stops growing at five seconds', () => {
    expect(retryDelayMs(60, { next: () => 0.999999, bytes: () => Buffer.alloc(0) })).toBe(5_000);
  });
});
