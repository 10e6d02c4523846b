// How the parts of a data node know each other: guard, data path, and what operators see of them.
import {
  accessHeaders,
  type BoundedWarnings,
  type Bus,
  type Clock,
  type ClusterView,
  clusterAccess,
  createMetrics,
  type EffectiveSettings,
  type HttpClient,
  type IndexingPressure,
  type Metrics,
  RecordDecisions,
  type RefusalLogger,
  type Rng,
  shedSalt,
  type Timers,
  WEIR_VERSION,
} from '@weir/shared';
import type { DataNodePorts } from './app.ts';
import type { DataNodeConfig } from './config.ts';
import { readinessOf } from './http/readiness.ts';
import type { NodeStores } from './node-stores.ts';
import type { SelfWatch } from './self-watch.ts';
import { Guard } from './shard/admit-shard.ts';
import type { Peer } from './shard/call-replica.ts';
import { answerBy } from './shard/deadline.ts';
import { findReadable } from './shard/find-copy.ts';
import type { InSyncCopies } from './shard/in-sync-copies.ts';
import { isKnownCalm } from './shard/is-known-calm.ts';
import { ReplicaPermits } from './shard/replica-permits.ts';
import type { ShardPorts } from './shard/shard-ports.ts';
import type { DiskRoom } from './stats/disk-room.ts';
import type { LocalStatsPorts } from './stats/local-stats.ts';
import { nodeFacts, showGauges } from './stats/node-facts.ts';

export type Assembled = NodeStores & {
  readonly config: DataNodeConfig;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly rng: Rng;
  readonly log: RefusalLogger;
  readonly http: HttpClient;
  readonly pressure: IndexingPressure;
  readonly watch: SelfWatch;
  readonly disk: DiskRoom;
  readonly view: ClusterView;
  readonly inSync: InSyncCopies;
  readonly warnings: BoundedWarnings;
  readonly closing: AbortSignal;
};

/** What the HTTP service is made of. */
export function assembleService(parts: Assembled): DataNodePorts {
  const { config, bus, clock, timers, rng, log, engine, metadata, watch, warnings } = parts;
  const startedWallMs = clock.wallMs();
  const metrics = createMetrics({ service: 'datanode', version: WEIR_VERSION, startedWallMs });
  const linesPerSecond = (): number => parts.settings.current().log.refusalsPerSecond;
  const recorder = new RecordDecisions({ metrics, log, clock, timers, rng, linesPerSecond });
  showGauges(metrics, parts, () => parts.settings.current().version);
  const shard = shardPorts(parts, metrics, recorder);
  return {
    ...{ metrics, recorder, shard },
    permits: new ReplicaPermits({ timers, rng, guard: shard.guard, longestMs: config.timeouts.primaryMs }),
    stats: localStatsPorts(parts, recorder),
    access: clusterAccess(config.access),
    openForRead: async (copy) => {
      const deadlineMs = answerBy(config.timeouts.replicaMs, clock);
      await engine.openCopy(copy, await findReadable(copy, deadlineMs, shard));
    },
    readiness: () =>
      readinessOf({
        engineFailure: engine.failure?.message,
        metadataKnown: metadata.isSynced() || metadata.all().length > 0,
        draining: watch.isDraining,
        busUp: bus.isUp(),
      }),
    report: ({ code, message }, { method, path }) =>
      warnings.warn(`request ${code}`, { method, path, code, cause: message }, 'a request failed'),
  };
}

function shardPorts(parts: Assembled, metrics: Metrics, recorder: RecordDecisions): ShardPorts {
  const { config, clock, timers, rng, http, engine, metadata, nodeId, watch, inSync, closing } = parts;
  const settings = (): EffectiveSettings => parts.settings.current();
  const guard = new Guard({
    ...{ clock, settings, recorder, pressure: parts.pressure, node: config.nodeName },
    salt: shedSalt(config.clusterName, config.access.secret),
    stressOf: (role, bulk) => watch.signals.stressOf(role, bulk),
    isDraining: () => watch.isDraining,
    freeDiskBytes: () => parts.disk.figures()?.availableBytes,
  });
  return {
    ...{ clock, timers, rng, http, settings, nodeId, engine, guard, inSync, closing },
    table: metadata,
    peer: (id) => peerOf(id, parts.view),
    isCalm: (id) => isKnownCalm(id, parts.view, clock, settings()),
    headers: accessHeaders(config.access),
    replicaTimeoutMs: config.timeouts.replicaMs,
    primaryTimeoutMs: config.timeouts.primaryMs,
    beginWork: (work, operations, bulk) => watch.beginWork(work, operations, bulk),
    stats: () => watch.stats.newest(),
    seconds: metrics.shardRequestSeconds,
  };
}

function peerOf(id: string, view: ClusterView): Peer | undefined {
  const node = view.node(id);
  if (node === undefined || node.stats.address === '') return undefined;
  return { name: node.name, address: node.stats.address, isHeard: node.isHeard };
}

function localStatsPorts(parts: Assembled, recorder: RecordDecisions): LocalStatsPorts {
  const { config, engine, nodeId } = parts;
  return {
    engine,
    identity: { id: nodeId, name: config.nodeName, roles: ['data'] },
    clusterName: config.clusterName,
    dataPath: config.dataDir,
    disk: () => parts.disk.figures(),
    ...nodeFacts(parts, recorder),
  };
}
