// How the parts of an agent know each other: guard, the way to its node, and what operators see of them.
import {
  accessHeaders,
  type BoundedWarnings,
  type Bus,
  type Clock,
  type ClusterView,
  clusterAccess,
  createMetrics,
  decodeShardBulk,
  type EffectiveSettings,
  encodeShardBulkAnswer,
  type HttpClient,
  INTERNAL_PATHS,
  type IndexingPressure,
  type Metrics,
  RecordDecisions,
  type RefusalLogger,
  type Rng,
  type RouteSpec,
  route,
  shedSalt,
  type Timers,
  WEIR_VERSION,
} from '@weir/shared';
import type { Express } from 'express';
import type { AgentConfig } from '../config.ts';
import { collectBody } from '../http/collect-body.ts';
import type { SelfWatch } from '../self-watch.ts';
import { mostFrameBytes, type ServicePorts, serviceApp } from '../service-app.ts';
import { Guard } from '../shard/admit-shard.ts';
import { isKnownCalm } from '../shard/is-known-calm.ts';
import { permitRoutes } from '../shard/permit-routes.ts';
import { ReplicaPermits } from '../shard/replica-permits.ts';
import type { DiskRoom } from '../stats/disk-room.ts';
import { nodeFacts, showGauges } from '../stats/node-facts.ts';
import { agentReadiness } from './agent-readiness.ts';
import type { AgentWork } from './agent-work.ts';
import { type ForwardPorts, handleForward } from './forward-bulk.ts';
import type { LocalNode } from './local-node.ts';
import type { NodeIdentity, NodePoller } from './node-poller.ts';

export type AgentParts = {
  readonly config: AgentConfig;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly rng: Rng;
  readonly log: RefusalLogger;
  readonly settings: () => EffectiveSettings;
  readonly pressure: IndexingPressure;
  readonly identity: NodeIdentity;
  readonly node: LocalNode;
  readonly poller: NodePoller;
  readonly work: AgentWork;
  readonly watch: SelfWatch;
  /** Of all nodes with an agent. */
  readonly view: ClusterView;
  readonly http: HttpClient;
  /** Of the node's data path, where this host has it. */
  readonly disk: DiskRoom | undefined;
  readonly warnings: BoundedWarnings;
};

export type AgentService = { readonly app: Express; readonly stop: () => void };

/** The HTTP service, not yet listening, and what ends with it. */
export function agentService(parts: AgentParts): AgentService {
  const { config, clock, timers, rng, log, settings } = parts;
  const startedWallMs = clock.wallMs();
  const metrics = createMetrics({ service: 'datanode', version: WEIR_VERSION, startedWallMs });
  const linesPerSecond = (): number => settings().log.refusalsPerSecond;
  const recorder = new RecordDecisions({ metrics, log, clock, timers, rng, linesPerSecond });
  showGauges(metrics, parts, () => settings().version);
  const ports: ServicePorts = {
    ...{ metrics, recorder, stats: statsPorts(parts, recorder) },
    access: clusterAccess(config.access),
    readiness: () => readinessOf(parts),
    report: ({ code, message }, { method, path }) =>
      parts.warnings.warn(`request ${code}`, { method, path, code, cause: message }, 'a request failed'),
  };
  const guard = guardOf(parts, recorder);
  const permits = new ReplicaPermits({ guard, timers, rng, longestMs: config.timeouts.primaryMs });
  const routes = [bulkRoute(forwardPorts(parts, metrics, guard), settings), ...permitRoutes(permits)];
  return {
    app: serviceApp(ports, routes),
    stop() {
      permits.close();
      recorder.stop();
    },
  };
}

function bulkRoute(forward: ForwardPorts, settings: () => EffectiveSettings): RouteSpec {
  return route('POST', INTERNAL_PATHS.bulk, async (request, response) => {
    const frame = await collectBody(request, mostFrameBytes(settings().bulk.maxBodyBytes));
    const answer = await handleForward(decodeShardBulk(frame), request.rawHeaders, forward);
    response.setHeader('Content-Type', 'application/octet-stream');
    response.end(encodeShardBulkAnswer(answer));
  });
}

function guardOf(parts: AgentParts, recorder: RecordDecisions): Guard {
  const { config, clock, settings, identity, poller, watch } = parts;
  return new Guard({
    ...{ clock, settings, recorder, pressure: parts.pressure },
    get node() {
      return identity.name;
    },
    salt: shedSalt(config.clusterName, config.access.secret),
    stressOf: (role, bulk) => watch.signals.stressOf(role, bulk),
    // One that stops has said that it has no address: what still comes is served, and its node goes on without it.
    isDraining: () => false,
    freeDiskBytes: () =>
      parts.disk === undefined ? poller.figures()?.freeDiskBytes : parts.disk.figures()?.availableBytes,
  });
}

function forwardPorts(parts: AgentParts, metrics: Metrics, guard: Guard): ForwardPorts {
  const { config, clock, settings, http, node, poller, view, work, watch } = parts;
  return {
    ...{ clock, guard, node, primaryTimeoutMs: config.timeouts.primaryMs },
    reserve: {
      ...{ http, clock, settings, headers: accessHeaders(config.access) },
      peer(id) {
        const address = view.node(id)?.stats.address ?? '';
        return address === '' ? undefined : { address };
      },
      isCalm: (id) => isKnownCalm(id, view, clock, settings()),
    },
    seconds: metrics.shardRequestSeconds,
    stats: () => watch.stats.newest(),
    beginWork: (work, operations, bulk) => watch.beginWork(work, operations, bulk),
    onRefusal() {
      if (work.noteRefusal()) watch.tellNow();
    },
    onGone: (reason) => poller.noteGone(reason),
  };
}

function readinessOf({ bus, poller, watch }: AgentParts) {
  return agentReadiness({
    nodeKnown: poller.identity() !== undefined,
    nodeIsThere: poller.isThere,
    problem: poller.problem,
    draining: watch.isDraining,
    busUp: bus.isUp(),
  });
}

function statsPorts(parts: AgentParts, recorder: RecordDecisions): ServicePorts['stats'] {
  const { config, identity, disk } = parts;
  return {
    identity: {
      get id() {
        return identity.id;
      },
      get name() {
        return identity.name;
      },
      roles: [],
    },
    clusterName: config.clusterName,
    dataPath: config.openSearchDataPath ?? '',
    disk: () => disk?.figures(),
    ...nodeFacts(parts, recorder),
  };
}
