// How do OpenSearch's tools see this node? Its readings in the shape of `_nodes/stats`; what is not known is left out, never null.
import type { DiskFigures, ProcessFigures, SignalReading, SignalReadings } from '@weir/shared';

type Json = Readonly<Record<string, unknown>>;

/** `resource_usage_stats`, where a node lists only itself: strings with one digit, as there; `{}` while nothing is known. */
export function resourceUsageReport(id: string, wallMs: number, signals: SignalReadings): Json {
  const cpu = usable(signals.cpu);
  const heap = usable(signals.heap);
  const io = usable(signals.io);
  if (cpu === undefined && heap === undefined && io === undefined) return {};
  return {
    [id]: {
      timestamp: wallMs,
      ...(cpu && { cpu_utilization_percent: oneDigit(cpu.fast) }),
      ...(heap && { memory_utilization_percent: oneDigit(heap.fast) }),
      ...(io && { io_usage_stats: { max_io_utilization_percent: oneDigit(io.fast) } }),
    },
  };
}

export function osReport(figures: ProcessFigures, signals: SignalReadings): Json {
  const cpu = usable(signals.cpu);
  const [oneMinute, fiveMinutes, fifteenMinutes] = figures.loadAverage;
  const usedBytes = figures.hostMemoryBytes - figures.hostFreeMemoryBytes;
  return {
    timestamp: figures.wallMs,
    cpu: {
      ...(cpu && { percent: Math.round(cpu.fast) }),
      load_average: { '1m': oneMinute, '5m': fiveMinutes, '15m': fifteenMinutes },
    },
    mem: {
      total_in_bytes: figures.hostMemoryBytes,
      free_in_bytes: figures.hostFreeMemoryBytes,
      used_in_bytes: usedBytes,
      free_percent: percentOf(figures.hostFreeMemoryBytes, figures.hostMemoryBytes),
      used_percent: percentOf(usedBytes, figures.hostMemoryBytes),
    },
  };
}

/** The cpu of this process alone, and the memory that the heap does not show. */
export function processReport(figures: ProcessFigures): Json {
  return {
    timestamp: figures.wallMs,
    cpu: { percent: Math.round(figures.cpuPercent), total_in_millis: figures.cpuTotalMs },
    mem: {
      resident_in_bytes: figures.residentBytes,
      external_in_bytes: figures.externalBytes,
      array_buffers_in_bytes: figures.arrayBufferBytes,
    },
  };
}

/** There is no JVM here; its place is where tools look for the heap. */
export function jvmReport(figures: ProcessFigures, signals: SignalReadings): Json {
  const heap = usable(signals.heap);
  return {
    timestamp: figures.wallMs,
    uptime_in_millis: figures.uptimeMs,
    mem: {
      heap_used_in_bytes: figures.heapUsedBytes,
      ...(heap && { heap_used_percent: Math.round(heap.fast) }),
      heap_committed_in_bytes: figures.heapCommittedBytes,
      heap_max_in_bytes: figures.heapLimitBytes,
    },
  };
}

export function fsReport(wallMs: number, dataPath: string, disk: DiskFigures): Json {
  const room = {
    total_in_bytes: disk.totalBytes,
    free_in_bytes: disk.freeBytes,
    available_in_bytes: disk.availableBytes,
  };
  return { timestamp: wallMs, total: room, data: [{ path: dataPath, ...room }] };
}

/** A value that is warming up or no longer fresh is unknown to a reader who cannot see its quality. */
function usable(reading: SignalReading | undefined): SignalReading | undefined {
  return reading?.quality === 'ok' ? reading : undefined;
}

function oneDigit(percent: number): string {
  return percent.toFixed(1);
}

function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 100);
}
