import { tmpdir } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '../testing/manual-clock.ts';
import { ProcessFiguresSource, readDiskFigures } from './process-figures.ts';

describe('the figures of this process', () => {
  it('are finite, and the heap limit is where the process dies, below V8’s own', () => {
    const clock = new ManualClock();
    const source = new ProcessFiguresSource(clock);
    clock.advance(1_500);
    const { loadAverage, ...figures } = source.read();
    for (const figure of [...Object.values(figures), ...loadAverage]) {
      expect(Number.isFinite(figure)).toBe(true);
    }
    expect(figures.uptimeMs).toBe(1_500);
    expect(figures.heapLimitBytes).toBeLessThan(getHeapStatistics().heap_size_limit);
    expect(figures.heapLimitBytes).toBeGreaterThan(figures.heapUsedBytes);
  });

  it('keep their cpu share for a second, however often they are read', () => {
    const clock = new ManualClock();
    const source = new ProcessFiguresSource(clock);
    clock.advance(1_000);
    const { cpuPercent } = source.read();
    expect(cpuPercent).toBeGreaterThanOrEqual(0);
    expect(cpuPercent).toBeLessThanOrEqual(100);
    clock.advance(999);
    expect(source.read().cpuPercent).toBe(cpuPercent);
  });

  it('name the room on a disk', async () => {
    const { totalBytes, freeBytes, availableBytes } = await readDiskFigures(tmpdir());
    expect(totalBytes).toBeGreaterThan(0);
    expect(freeBytes).toBeLessThanOrEqual(totalBytes);
    expect(availableBytes).toBeLessThanOrEqual(freeBytes);
  });
});
