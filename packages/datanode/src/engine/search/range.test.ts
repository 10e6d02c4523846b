import { describe, expect, it } from '@jest/globals';
import { timeOf } from './iso-date.ts';
import type { Scalar } from './json-values.ts';
import { isInRange, parseRange } from './parse-range.ts';

function inRange(value: Scalar, bounds: object): boolean {
  const query = parseRange({ f: bounds });
  return query.kind === 'range' && isInRange(value, query);
}

describe('range', () => {
  it('compares numbers, however the bounds are spelled', () => {
    expect(inRange(5, { gte: 5, lt: 6 })).toBe(true);
    expect(inRange(5, { gt: 5 })).toBe(false);
    expect(inRange(5, { gte: '4.5', lte: '5' })).toBe(true);
    expect(inRange(10, { gte: '9' })).toBe(true);
    expect(inRange(5, { gte: 'x' })).toBe(false);
    expect(inRange('48.8', { gt: 9 })).toBe(true);
    expect(inRange('text', { gt: 9 })).toBe(false);
    expect(inRange(true, { gte: 0 })).toBe(false);
  });

  it('compares texts by their letters', () => {
    expect(inRange('beta', { gte: 'alpha', lt: 'gamma' })).toBe(true);
    expect(inRange('10', { gte: '9' })).toBe(false);
  });

  it('compares dates by time, and takes a day as all of it', () => {
    expect(inRange('2024-01-01T23:30:00Z', { lte: '2024-01-01' })).toBe(true);
    expect(inRange('2024-01-01T23:30:00Z', { gt: '2024-01-01' })).toBe(false);
    expect(inRange('2024-01-01T00:00:00Z', { gte: '2024-01-01' })).toBe(true);
    expect(inRange('2024-01-01T00:00:00Z', { lt: '2024-01-01' })).toBe(false);
    expect(inRange('2024-01-01T01:30:00+02:00', { lt: '2024-01-01' })).toBe(true);
    expect(inRange('2024-02-29T12:00:00', { lte: '2024-02' })).toBe(true);
  });

  it('takes no bound as no limit', () => {
    expect(inRange(1, {})).toBe(true);
    expect(inRange('x', { gte: null })).toBe(true);
  });
});

describe('timeOf', () => {
  it('reads ISO dates of every precision and nothing else', () => {
    expect(timeOf('2024-01-02T03:04:05.678Z', false)).toBe(Date.UTC(2024, 0, 2, 3, 4, 5, 678));
    expect(timeOf('2024-01-02T03:04-01:30', false)).toBe(Date.UTC(2024, 0, 2, 4, 34));
    expect(timeOf('2024-02', true)).toBe(Date.UTC(2024, 2, 1) - 1);
    expect(timeOf('2024-02-03T04', true)).toBe(Date.UTC(2024, 1, 3, 5) - 1);
    for (const text of ['2024', 'now', '2024-1-1', '2024-01-01 10:00', 'x2024-01-01', ''])
      expect(timeOf(text, false)).toBeUndefined();
  });
});
