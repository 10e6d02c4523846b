import { describe, expect, it } from '@jest/globals';
import type { ProcessFigures } from '@weir/shared';
import { fsReport, jvmReport, osReport, processReport, resourceUsageReport } from './node-stats-report.ts';

const MIB = 2 ** 20;
const ok = (fast: number) => ({ fast, slow: 1, quality: 'ok' }) as const;
const SIGNALS = { cpu: ok(70.66), heap: ok(32.29), io: ok(6.7), event_loop: ok(3) };

const FIGURES: ProcessFigures = {
  wallMs: 1_700_000_000_000,
  uptimeMs: 9_000,
  cpuPercent: 33.6,
  cpuTotalMs: 4_500,
  heapUsedBytes: 30 * MIB,
  heapCommittedBytes: 40 * MIB,
  heapLimitBytes: 256 * MIB,
  residentBytes: 90 * MIB,
  externalBytes: 5 * MIB,
  arrayBufferBytes: 4 * MIB,
  hostMemoryBytes: 1_000,
  hostFreeMemoryBytes: 250,
  loadAverage: [0.5, 0.4, 0.3],
};

describe('this node in OpenSearch’s shape', () => {
  it('shows its resource usage as strings with one digit, under its own id', () => {
    expect(resourceUsageReport('n-1', 1_700_000_000_000, SIGNALS)).toEqual({
      'n-1': {
        timestamp: 1_700_000_000_000,
        cpu_utilization_percent: '70.7',
        memory_utilization_percent: '32.3',
        io_usage_stats: { max_io_utilization_percent: '6.7' },
      },
    });
  });

  it('shows no resource usage while nothing is known', () => {
    const unknown = {
      cpu: { fast: 99, slow: 99, quality: 'warming' },
      heap: { fast: 99, slow: 99, quality: 'unavailable' },
    } as const;
    expect(resourceUsageReport('n-1', 0, {})).toEqual({});
    expect(resourceUsageReport('n-1', 0, unknown)).toEqual({});
  });

  it('leaves out what is unknown instead of showing null or 0', () => {
    expect(resourceUsageReport('n-1', 5, { heap: ok(1) })).toEqual({
      'n-1': { timestamp: 5, memory_utilization_percent: '1.0' },
    });
    expect(osReport(FIGURES, {})).toMatchObject({ cpu: { load_average: { '1m': 0.5 } } });
    expect(JSON.stringify([osReport(FIGURES, {}), jvmReport(FIGURES, {})])).not.toMatch(/null|percent":0/);
  });

  it('shows the host’s cpu and memory', () => {
    expect(osReport(FIGURES, SIGNALS)).toEqual({
      timestamp: 1_700_000_000_000,
      cpu: { percent: 71, load_average: { '1m': 0.5, '5m': 0.4, '15m': 0.3 } },
      mem: {
        total_in_bytes: 1_000,
        free_in_bytes: 250,
        used_in_bytes: 750,
        free_percent: 25,
        used_percent: 75,
      },
    });
  });

  it('shows the heap where tools look for a JVM’s, and the process with the memory outside the heap', () => {
    expect(jvmReport(FIGURES, SIGNALS)).toMatchObject({
      uptime_in_millis: 9_000,
      mem: { heap_used_in_bytes: 30 * MIB, heap_used_percent: 32, heap_max_in_bytes: 256 * MIB },
    });
    expect(processReport(FIGURES)).toMatchObject({
      cpu: { percent: 34, total_in_millis: 4_500 },
      mem: { resident_in_bytes: 90 * MIB, array_buffers_in_bytes: 4 * MIB },
    });
  });

  it('shows the room on the disk of the data', () => {
    expect(fsReport(7, '/data', { totalBytes: 100, freeBytes: 60, availableBytes: 50 })).toEqual({
      timestamp: 7,
      total: { total_in_bytes: 100, free_in_bytes: 60, available_in_bytes: 50 },
      data: [{ path: '/data', total_in_bytes: 100, free_in_bytes: 60, available_in_bytes: 50 }],
    });
  });
});
