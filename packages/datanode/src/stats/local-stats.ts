// This node's part of `_nodes/stats`, as the coordinators collect it: what all processes show, and its disk, documents and writes.
import {
  commonSections,
  type DiskFigures,
  type NodeIdentity,
  type NodeStatsFacts,
  type NodeStatsSections,
  nodeStatsBody,
  parseNodeStatsMetrics,
} from '@weir/shared';
import type { Engine } from '../engine/engine.ts';
import type { WorkStanding } from '../signals/work-tracker.ts';
import { fsReport } from './fs-report.ts';

type Json = Readonly<Record<string, unknown>>;

export type LocalStatsPorts = {
  readonly identity: NodeIdentity;
  readonly clusterName: string;
  readonly dataPath: string;
  readonly wallMs: () => number;
  readonly facts: () => NodeStatsFacts;
  /** Absent where the documents are another server's. */
  readonly engine?: Engine;
  readonly work: () => WorkStanding;
  readonly disk: () => DiskFigures | undefined;
};

/** The answer to GET /_nodes/_local/stats[/{metrics}]; throws for a metric nobody knows, naming it. */
export async function localStats(expression: string | undefined, ports: LocalStatsPorts): Promise<Json> {
  const { identity, clusterName, wallMs, facts } = ports;
  const metrics = parseNodeStatsMetrics(expression);
  const indices =
    metrics.has('indices') && ports.engine !== undefined ? await indicesSection(ports.engine) : undefined;
  const sections: NodeStatsSections = {
    ...commonSections(identity, facts),
    indices: () => indices,
    thread_pool: () => writePoolSection(ports.work()),
    fs: () => fsSection(ports),
  };
  return {
    _nodes: { total: 1, successful: 1, failed: 0 },
    cluster_name: clusterName,
    nodes: { [identity.id]: nodeStatsBody(identity, wallMs(), metrics, sections) },
  };
}

/** Absent while the disk's room is unknown. */
function fsSection({ disk, wallMs, dataPath }: LocalStatsPorts): Json | undefined {
  const room = disk();
  return room && fsReport(wallMs(), dataPath, room);
}

async function indicesSection(engine: Engine): Promise<Json> {
  // A copy that is just being opened or thrown away has no figures; the others still do.
  const asked = (await engine.listCopies()).map((copy) => engine.stats(copy).catch(() => undefined));
  const stats = (await Promise.all(asked)).filter((one) => one !== undefined);
  const sum = (of: 'docs' | 'deleted' | 'storeBytes') => stats.reduce((total, one) => total + one[of], 0);
  return {
    docs: { count: sum('docs'), deleted: sum('deleted') },
    store: { size_in_bytes: sum('storeBytes') },
  };
}

/** Writes have no pool of threads here; what is true of OpenSearch's figures is how many operations wait and how many are done. */
function writePoolSection({ operationsWaiting, completedTotal }: WorkStanding): Json {
  return { write: { queue: operationsWaiting, completed: completedTotal } };
}
