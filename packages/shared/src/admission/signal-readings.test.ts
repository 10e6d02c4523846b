import { describe, expect, it } from '@jest/globals';
import { AveragedReadings, type SignalReading } from './signal-readings.ts';

const cpu = (slow: number, quality: SignalReading['quality'] = 'ok') => ({
  cpu: { fast: slow, slow, quality },
});

/** The fall of cpu, in points a second, after these readings: each is a time and a slow average. */
function fallAfter(...readings: readonly (readonly [atMs: number, slow: number])[]): number {
  const averaged = new AveragedReadings();
  for (const [atMs, slow] of readings) averaged.observe(cpu(slow), atMs);
  return averaged.fallPerMs('cpu') * 1_000;
}

describe('the fall of a slow average', () => {
  it('is what it lost since the sample before, and 0 while it rises or is new', () => {
    expect(fallAfter([0, 98])).toBe(0);
    expect(fallAfter([0, 98], [500, 97])).toBe(2);
    expect(fallAfter([0, 97], [500, 98])).toBe(0);
    expect(fallAfter([0, 98], [500, 97], [1_000, 97.5])).toBe(0);
  });

  it('is still known when answers bring the same sample again', () => {
    expect(fallAfter([0, 98], [500, 97], [600, 97], [700, 97], [800, 97])).toBe(2);
    expect(fallAfter([0, 98], [100, 98], [400, 98], [500, 97], [900, 97], [1_000, 96])).toBe(2);
  });

  it('ends when the average stands still for longer than samples are apart', () => {
    expect(fallAfter([0, 98], [500, 97], [1_000, 97], [1_500, 97])).toBe(0);
  });

  it('is 0 where two averages come at one moment, and forgotten while the signal is unknown', () => {
    expect(fallAfter([0, 98], [0, 97])).toBe(0);
    const averaged = new AveragedReadings();
    averaged.observe(cpu(98), 0);
    averaged.observe(cpu(97, 'unavailable'), 500);
    averaged.observe(cpu(90), 1_000);
    expect(averaged.fallPerMs('cpu')).toBe(0);
  });
});
