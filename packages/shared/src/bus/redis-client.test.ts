import { describe, expect, it } from '@jest/globals';
import { describeCause } from '../ops/describe-cause.ts';
import { reconnectDelayMs } from './redis-client.ts';

describe('reconnecting to Redis', () => {
  it('C102: waits longer from try to try, up to a cap that is spread so that a cluster does not return in step', () => {
    expect([1, 2, 3, 4, 5, 50].map((attempt) => reconnectDelayMs(attempt, 0.5))).toEqual([
      50, 100, 200, 400, 500, 500,
    ]);
    expect([reconnectDelayMs(9, 0), reconnectDelayMs(9, 0.999)]).toEqual([375, 625]);
  });

  it('C102: tries about once per cap interval during a long outage', () => {
    let attempts = 0;
    for (let nowMs = 0; nowMs < 300_000; nowMs += reconnectDelayMs(attempts, (attempts * 0.37) % 1))
      attempts += 1;
    expect(attempts).toBeLessThanOrEqual(300_000 / 500 + 5);
  });

  it('describes an error without words by its code', () => {
    expect(describeCause(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }))).toBe(
      'ECONNREFUSED',
    );
    expect(describeCause(new Error('Command timed out'))).toBe('Command timed out');
    expect(describeCause('odd')).toBe('odd');
  });
});
