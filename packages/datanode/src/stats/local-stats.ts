// This node's part of `_nodes/stats`: which metrics may be asked for, and what each shows.
import {
  type Clock,
  type DiskFigures,
  type PressureReport,
  type ProcessFiguresSource,
  type SignalReadings,
  WeirError,
} from '@weir/shared';
import type { Engine } from '../engine/engine.ts';
import {
  fsReport,
  jvmReport,
  osReport,
  processReport,
  resourceUsageReport,
} from '../signals/node-stats-report.ts';
import type { WorkStanding } from '../signals/work-tracker.ts';
import { indexingPressureReport } from './pressure-report.ts';

type Json = Readonly<Record<string, unknown>>;

export type LocalStatsPorts = {
  readonly nodeId: string;
  readonly nodeName: string;
  readonly clusterName: string;
  /** Host and port others reach this node by. */
  readonly address: () => string;
  readonly dataPath: string;
  readonly clock: Clock;
  readonly engine: Engine;
  readonly figures: ProcessFiguresSource;
  readonly signals: () => SignalReadings;
  readonly work: () => WorkStanding;
  readonly pressure: () => PressureReport;
  readonly disk: () => DiskFigures | undefined;
  readonly admissionControl: () => Json;
};

/** Metrics OpenSearch has and this node has nothing to say of: they may be asked for and are left out. */
const SILENT = [
  'transport',
  'http',
  'breaker',
  'script',
  'script_cache',
  'discovery',
  'ingest',
  'adaptive_selection',
  'shard_indexing_pressure',
  'search_backpressure',
  'cluster_manager_throttling',
  'weighted_routing',
  'file_cache',
  'task_cancellation',
  'search_pipeline',
  'segment_replication_backpressure',
  'repositories',
  'caches',
  'remote_store',
] as const;

type Metric = (ports: LocalStatsPorts) => Json | undefined | Promise<Json | undefined>;

const METRICS: Readonly<Record<string, Metric>> = {
  indices: ({ engine }) => indicesReport(engine),
  os: ({ figures, signals }) => osReport(figures.read(), signals()),
  process: ({ figures }) => processReport(figures.read()),
  jvm: ({ figures, signals }) => jvmReport(figures.read(), signals()),
  thread_pool: ({ work }) => writePoolReport(work()),
  fs: ({ clock, dataPath, disk }) => {
    const room = disk();
    return room && fsReport(clock.wallMs(), dataPath, room);
  },
  indexing_pressure: ({ pressure }) => indexingPressureReport(pressure()),
  resource_usage_stats: ({ nodeId, clock, signals }) =>
    resourceUsageReport(nodeId, clock.wallMs(), signals()),
  admission_control: ({ admissionControl }) => admissionControl(),
};

/** The answer to GET /_nodes/_local/stats[/{metrics}]; throws for a metric nobody knows, naming it. */
export async function localStats(
  metrics: string | undefined,
  uri: string,
  ports: LocalStatsPorts,
): Promise<Json> {
  const asked = askedMetrics(metrics, uri);
  const shown: Record<string, unknown> = {};
  for (const name of asked) {
    const report = await METRICS[name]?.(ports);
    if (report !== undefined) shown[name] = report;
  }
  const { nodeId, nodeName, clusterName, address, clock } = ports;
  return {
    _nodes: { total: 1, successful: 1, failed: 0 },
    cluster_name: clusterName,
    nodes: {
      [nodeId]: {
        timestamp: clock.wallMs(),
        name: nodeName,
        transport_address: address(),
        host: address().replace(/:\d+$/, ''),
        ip: address(),
        roles: ['data'],
        ...shown,
      },
    },
  };
}

function askedMetrics(metrics: string | undefined, uri: string): readonly string[] {
  const all = Object.keys(METRICS);
  if (metrics === undefined) return all;
  const names = metrics.split(',').filter((name) => name !== '');
  const unknown = names.filter(
    (name) => name !== '_all' && !Object.hasOwn(METRICS, name) && !SILENT.some((silent) => silent === name),
  );
  if (unknown.length > 0) {
    const word = unknown.length === 1 ? 'metric' : 'metrics';
    const shown = unknown.map((name) => `[${name}]`).join(', ');
    throw new WeirError('illegal_argument', `request [${uri}] contains unrecognized ${word}: ${shown}`);
  }
  return names.includes('_all') ? all : all.filter((name) => names.includes(name));
}

async function indicesReport(engine: Engine): Promise<Json> {
  const copies = await engine.listCopies();
  const stats = await Promise.all(copies.map((copy) => engine.stats(copy)));
  const sum = (of: 'docs' | 'deleted' | 'storeBytes') => stats.reduce((total, one) => total + one[of], 0);
  return {
    docs: { count: sum('docs'), deleted: sum('deleted') },
    store: { size_in_bytes: sum('storeBytes') },
  };
}

/** Writes have no pool of threads here; what is honest of OpenSearch's figures is how many operations wait and how many are done. */
function writePoolReport({ operationsWaiting, completedTotal }: WorkStanding): Json {
  return { write: { queue: operationsWaiting, completed: completedTotal } };
}
