// One process in `_nodes/stats`, in OpenSearch's shape: the sections that coordinators and data nodes have in common.
import type { PressureReport } from '../admission/indexing-pressure.ts';
import type { SignalReadings } from '../admission/signal-readings.ts';
import { WeirError } from '../ops/errors.ts';
import type { ProcessFigures } from '../signals/process-figures.ts';

/** Metrics OpenSearch knows; asking for one that Weir has no figures of is no error, the section is absent. */
export const NODE_STATS_METRICS = [
  'adaptive_selection',
  'admission_control',
  'breaker',
  'caches',
  'cluster_manager_throttling',
  'discovery',
  'file_cache',
  'fs',
  'http',
  'indexing_pressure',
  'indices',
  'ingest',
  'jvm',
  'os',
  'process',
  'remote_store',
  'repositories',
  'resource_usage_stats',
  'script',
  'script_cache',
  'search_backpressure',
  'search_pipeline',
  'segment_replication_backpressure',
  'shard_indexing_pressure',
  'task_cancellation',
  'thread_pool',
  'transport',
  'weighted_routing',
] as const;
export type NodeStatsMetric = (typeof NODE_STATS_METRICS)[number];

/** Who the process is. */
export type NodeIdentity = {
  readonly id: string;
  readonly name: string;
  /** OpenSearch's roles: `data` at a data node, none at a coordinator. */
  readonly roles: readonly string[];
};

export type NodeStatsFacts = {
  readonly figures: ProcessFigures;
  readonly signals: SignalReadings;
  readonly pressure: PressureReport;
  /** Bytes of coordinating and primary work, each counted once. */
  readonly combinedBytes: number;
  /** From the recorder of decisions. */
  readonly admissionControl: Readonly<Record<string, unknown>>;
};

/** Sections by metric; each is made only when asked for. */
export type NodeStatsSections = { readonly [metric in NodeStatsMetric]?: () => unknown };

/** The metrics of a path such as `os,jvm`; all of them for `_all` or nothing. Throws for a metric nobody knows. */
export function parseNodeStatsMetrics(expression: string | undefined): ReadonlySet<NodeStatsMetric> {
  const names = (expression ?? '_all').split(',').filter((name) => name !== '');
  if (names.length === 0 || names.includes('_all')) return new Set(NODE_STATS_METRICS);
  return new Set(
    names.map((name) => {
      const metric = NODE_STATS_METRICS.find((candidate) => candidate === name);
      if (metric !== undefined) return metric;
      throw new WeirError(
        'illegal_argument',
        `request [/_nodes/stats/${expression}] contains unrecognized metric: [${name}]`,
      );
    }),
  );
}

/** The node's entry below `nodes`. */
export function nodeStatsBody(
  identity: NodeIdentity,
  wallMs: number,
  metrics: ReadonlySet<NodeStatsMetric>,
  sections: NodeStatsSections,
): Record<string, unknown> {
  const body: Record<string, unknown> = { timestamp: wallMs, name: identity.name, roles: identity.roles };
  for (const metric of metrics) {
    const section = sections[metric]?.();
    if (section !== undefined) body[metric] = section;
  }
  return body;
}

/** The sections every process has. */
export function commonSections(identity: NodeIdentity, read: () => NodeStatsFacts): NodeStatsSections {
  return {
    os: () => osSection(read()),
    process: () => processSection(read()),
    jvm: () => jvmSection(read()),
    indexing_pressure: () => indexingPressureSection(read()),
    admission_control: () => read().admissionControl,
    resource_usage_stats: () => ({ [identity.id]: resourceUsage(read()) }),
  };
}

function osSection({ figures, signals }: NodeStatsFacts): unknown {
  const cpuPercent = known(signals, 'cpu');
  const [oneMinute, fiveMinutes, fifteenMinutes] = figures.loadAverage;
  const { hostMemoryBytes: totalBytes, hostFreeMemoryBytes: freeBytes } = figures;
  const freePercent = Math.round((freeBytes / totalBytes) * 100);
  return {
    timestamp: figures.wallMs,
    cpu: {
      ...(cpuPercent === undefined ? {} : { percent: Math.round(cpuPercent) }),
      load_average: { '1m': oneMinute, '5m': fiveMinutes, '15m': fifteenMinutes },
    },
    mem: {
      total_in_bytes: totalBytes,
      free_in_bytes: freeBytes,
      used_in_bytes: totalBytes - freeBytes,
      free_percent: freePercent,
      used_percent: 100 - freePercent,
    },
  };
}

function processSection({ figures }: NodeStatsFacts): unknown {
  return {
    timestamp: figures.wallMs,
    cpu: { percent: Math.round(figures.cpuPercent), total_in_millis: figures.cpuTotalMs },
    mem: { resident_in_bytes: figures.residentBytes },
  };
}

/** V8's heap under the name that tools look for. */
function jvmSection({ figures }: NodeStatsFacts): unknown {
  const { heapUsedBytes, heapLimitBytes } = figures;
  return {
    timestamp: figures.wallMs,
    uptime_in_millis: figures.uptimeMs,
    mem: {
      heap_used_in_bytes: heapUsedBytes,
      heap_used_percent: Math.round((heapUsedBytes / heapLimitBytes) * 100),
      heap_committed_in_bytes: figures.heapCommittedBytes,
      heap_max_in_bytes: heapLimitBytes,
      non_heap_used_in_bytes: figures.externalBytes,
    },
  };
}

function indexingPressureSection({ pressure, combinedBytes }: NodeStatsFacts): unknown {
  const { currentBytes, totalBytes, rejections, limits } = pressure;
  return {
    memory: {
      current: bytesSection(combinedBytes, currentBytes),
      total: {
        ...bytesSection(totalBytes.coordinating + totalBytes.primary, totalBytes),
        coordinating_rejections: rejections.coordinating,
        primary_rejections: rejections.primary,
        replica_rejections: rejections.replica,
      },
      limit_in_bytes: limits.primary,
    },
  };
}

function bytesSection(combinedBytes: number, bytes: PressureReport['currentBytes']) {
  return {
    combined_coordinating_and_primary_in_bytes: combinedBytes,
    coordinating_in_bytes: bytes.coordinating,
    primary_in_bytes: bytes.primary,
    replica_in_bytes: bytes.replica,
    all_in_bytes: combinedBytes + bytes.replica,
  };
}

/** Percents as text, as OpenSearch writes them here; what is unknown is absent. */
function resourceUsage({ figures, signals }: NodeStatsFacts): unknown {
  const [cpu, heap, io] = [known(signals, 'cpu'), known(signals, 'heap'), known(signals, 'io')];
  return {
    timestamp: figures.wallMs,
    ...(cpu === undefined ? {} : { cpu_utilization_percent: cpu.toFixed(1) }),
    ...(heap === undefined ? {} : { memory_utilization_percent: heap.toFixed(1) }),
    ...(io === undefined ? {} : { io_usage_stats: { max_io_utilization_percent: io.toFixed(1) } }),
  };
}

/** The fuller of a signal's averages; undefined while it is unknown. */
function known(signals: SignalReadings, signal: 'cpu' | 'heap' | 'io'): number | undefined {
  const reading = signals[signal];
  return reading?.quality === 'ok' ? Math.max(reading.fast, reading.slow) : undefined;
}
