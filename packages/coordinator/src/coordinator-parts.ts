// The parts of a coordinator and how they know each other: view, own stress, gate, data path, reads, and what operators see.
import { createHash } from 'node:crypto';
import {
  accessHeaders,
  type BoundedWarnings,
  type Bus,
  byteLimits,
  type Clock,
  ClusterView,
  commonSections,
  createMetrics,
  type EffectiveSettings,
  followStats,
  type HttpClient,
  IndexingPressure,
  type Logger,
  type MetadataStore,
  type Metrics,
  ProcessFiguresSource,
  RecordDecisions,
  type Rng,
  type RouteSpec,
  realHeapLimitBytes,
  type SettingsStore,
  shedSalt,
  type Timers,
  WEIR_VERSION,
  type YieldToLoop,
} from '@weir/shared';
import type { BulkDependencies } from './bulk/bulk-dependencies.ts';
import { bulkRoutes } from './bulk/bulk-routes.ts';
import { plainBodies } from './bulk/collect-body.ts';
import { liveNodes, type SelfFacts } from './cluster/cluster-facts.ts';
import type { IndexAdmin } from './cluster/index-admin.ts';
import type { Topology } from './cluster/topology.ts';
import type { CoordinatorConfig } from './config.ts';
import { documentWriteRoutes } from './documents/document-write-routes.ts';
import { ReadShards } from './documents/read-shards.ts';
import { readSurface } from './read-surface.ts';
import { OwnStress } from './stats/own-stress.ts';
import { readinessOf } from './stats/readiness.ts';

export type CoordinatorPorts = {
  readonly config: CoordinatorConfig;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly rng: Rng;
  readonly http: HttpClient;
  readonly yieldToLoop: YieldToLoop;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly settings: SettingsStore;
  readonly metadata: MetadataStore;
  readonly warnings: BoundedWarnings;
  /** Made with the view of these parts. */
  readonly topology: (view: ClusterView) => Topology & IndexAdmin;
};

/** After this long an answer about one shard is of no use to whoever searches. */
const READ_TIMEOUT_MS = 30_000;

export class CoordinatorParts {
  readonly view: ClusterView;
  readonly recorder: RecordDecisions;
  readonly pressure: IndexingPressure;
  readonly topology: Topology & IndexAdmin;
  readonly #ports: CoordinatorPorts;
  readonly #metrics: Metrics;
  readonly #ownStress: OwnStress;
  readonly #figures: ProcessFiguresSource;
  #metadataChanges = 0;
  #stopping = false;

  constructor(ports: CoordinatorPorts) {
    const { clock, timers, rng, log, warnings, metadata } = ports;
    this.#ports = ports;
    const settings = (): EffectiveSettings => ports.settings.current();
    const heapLimitBytes = realHeapLimitBytes();
    this.#metrics = createMetrics({
      service: 'coordinator',
      version: WEIR_VERSION,
      startedWallMs: clock.wallMs(),
    });
    this.recorder = new RecordDecisions({
      ...{ metrics: this.#metrics, log, clock, timers, rng },
      linesPerSecond: () => settings().log.refusalsPerSecond,
    });
    this.pressure = new IndexingPressure(() => byteLimits(settings(), heapLimitBytes));
    this.#ownStress = new OwnStress({
      ...{ clock, timers, settings },
      warn: (message, fields) => warnings.warn(message, fields, message),
    });
    this.#figures = new ProcessFiguresSource(clock);
    this.view = new ClusterView(settings);
    this.topology = ports.topology(this.view);
    metadata.onChange(() => {
      this.#metadataChanges += 1;
    });
    this.#readGauges();
  }

  /** Watches itself and the data nodes; the returned function ends it. */
  async start(): Promise<() => Promise<void>> {
    const { bus, clock, timers, rng, warnings } = this.#ports;
    this.#ownStress.start();
    const unfollow = await followStats({
      ...{ bus, clock, timers, rng, view: this.view },
      settings: () => this.#settings(),
      warn: (message, fields) => warnings.warn(`stats ${fields['key']}`, fields, message),
    });
    return async () => {
      await unfollow();
      this.#ownStress.stop();
      this.recorder.stop();
    };
  }

  /** From now on probes are told that this coordinator goes away. */
  drain(): void {
    this.#stopping = true;
  }

  /** All routes but those of the settings. */
  routes(publishAddress: string): readonly RouteSpec[] {
    const bulk = this.#bulkDependencies();
    return [...bulkRoutes(bulk), ...documentWriteRoutes(bulk), ...this.#readSurface(publishAddress)];
  }

  #settings(): EffectiveSettings {
    return this.#ports.settings.current();
  }

  #isLive(nodeId: string): boolean {
    const node = this.view.node(nodeId);
    return node !== undefined && node.standing(this.#ports.clock.nowMs(), this.#settings()) !== 'gone';
  }

  #bulkDependencies(): BulkDependencies {
    const { config, http, clock, timers, rng, yieldToLoop } = this.#ports;
    return {
      ...{ http, clock, timers, rng, yieldToLoop },
      ...{ topology: this.topology, view: this.view, pressure: this.pressure, recorder: this.recorder },
      name: config.nodeName,
      settings: () => this.#settings(),
      ownStress: () => this.#ownStress.stress(),
      salt: shedSalt(config.clusterName, config.access.secret),
      internalHeaders: accessHeaders(config.access),
      metrics: this.#metrics,
    };
  }

  #readSurface(publishAddress: string): readonly RouteSpec[] {
    const { config, http, clock, timers, rng } = this.#ports;
    const { topology, view, recorder, pressure } = this;
    const calls = { http, headers: accessHeaders(config.access), timeoutMs: READ_TIMEOUT_MS };
    const isLive = (nodeId: string): boolean => this.#isLive(nodeId);
    const self: SelfFacts = {
      id: rng.bytes(15).toString('base64url'),
      name: config.nodeName,
      publishAddress,
    };
    const clusterUuid = createHash('sha256').update(config.clusterName).digest('base64url').slice(0, 22);
    const facts = {
      ...{ clusterName: config.clusterName, clusterUuid, self, topology, isLive, clock, timers },
      elasticCompat: config.elasticCompat,
    };
    return readSurface({
      ...{ facts, calls },
      admin: topology,
      reads: new ReadShards(topology, calls, isLive),
      collectBody: plainBodies(timers),
      operator: {
        ...{ clock, view, recorder, pressure, metrics: this.#metrics, name: config.nodeName },
        settings: () => this.#settings(),
        ownStress: () => this.#ownStress.stress(),
        readiness: () => this.#readiness(liveNodes(facts).length),
      },
      sections: commonSections({ ...self, roles: [] }, () => ({
        figures: this.#figures.read(),
        signals: this.#ownStress.readings(),
        pressure: pressure.report(),
        combinedBytes: pressure.combinedBytes,
        admissionControl: recorder.admissionControlStats(),
      })),
      stateVersion: () => this.#metadataChanges,
    });
  }

  #readiness(liveDataNodes: number) {
    const { metadata, bus } = this.#ports;
    return readinessOf({
      metadataKnown: metadata.isSynced(),
      busUp: bus.isUp(),
      liveDataNodes,
      stopping: this.#stopping,
    });
  }

  #readGauges(): void {
    const { clock, bus } = this.#ports;
    this.#metrics.readGaugesFrom({
      inFlightBytes: () => {
        const { coordinating, primary, replica } = this.pressure.report().currentBytes;
        return { coordinator: coordinating, primary, replica };
      },
      signalPercent: (signal) => {
        const reading = this.#ownStress.readings()[signal];
        return reading?.quality === 'ok' ? Math.max(reading.fast, reading.slow) : undefined;
      },
      delayMs: () => undefined,
      evidenceAgesMs: () =>
        new Map([...this.view.nodes()].map((node) => [node.name, node.ageMs(clock.nowMs())])),
      redisUp: () => bus.isUp(),
      settingsVersion: () => this.#settings().version,
    });
  }
}
