// The parts of a coordinator and how they know each other: what it watches, where the copies are, and every route.
import { createHash } from 'node:crypto';
import {
  accessHeaders,
  commonSections,
  type HttpClient,
  type MetadataStore,
  ProcessFiguresSource,
  type RouteSpec,
  type WeirError,
  type YieldToLoop,
} from '@weir/shared';
import type { Express, Request } from 'express';
import { coordinatorApp } from './app.ts';
import { bulkDependencies } from './bulk/bulk-dependencies.ts';
import { bulkRoutes } from './bulk/bulk-routes.ts';
import { callPrimaryBy, DATA_NODE_FORM } from './bulk/call-primary.ts';
import { plainBodies } from './bulk/collect-body.ts';
import { type ClusterFacts, liveNodes } from './cluster/cluster-facts.ts';
import { OwnTopology } from './cluster/own-topology.ts';
import type { CoordinatorConfig } from './config.ts';
import { documentWriteRoutes } from './documents/document-write-routes.ts';
import { ReadShards } from './documents/read-shards.ts';
import type { CollectBody } from './http/read-json-body.ts';
import { readSurface } from './read-surface.ts';
import { settingsRoutes } from './settings/settings-routes.ts';
import { type Readiness, readinessOf } from './stats/readiness.ts';
import { ControlPath, type ControlPathPorts } from './view/control-path.ts';

export type CoordinatorPorts = Omit<ControlPathPorts, 'name'> & {
  readonly config: CoordinatorConfig;
  readonly http: HttpClient;
  readonly yieldToLoop: YieldToLoop;
  readonly metadata: MetadataStore;
};

/** What a service asks of the process it is part of. */
export type ServiceAsks = {
  /** Hears of failures that are this coordinator's own fault. */
  readonly report: (error: WeirError, request: Request) => void;
  /** Host and port that clients are told; empty before it listens. */
  readonly publishAddress: () => string;
};

/** After this long an answer about one shard is of no use to whoever searches. */
const READ_TIMEOUT_MS = 30_000;

export class CoordinatorParts {
  readonly #ports: CoordinatorPorts;
  readonly #control: ControlPath;
  readonly #topology: OwnTopology;
  readonly #figures: ProcessFiguresSource;
  #metadataChanges = 0;
  #stopping = false;
  #publishAddress = (): string => '';

  constructor(ports: CoordinatorPorts) {
    const { config, clock, rng, metadata } = ports;
    this.#ports = ports;
    this.#figures = new ProcessFiguresSource(clock);
    const control = new ControlPath({ ...ports, name: config.nodeName });
    this.#control = control;
    this.#topology = new OwnTopology({
      ...{ metadata, clock, rng },
      settings: () => control.settings(),
      nodes: () => [...control.view.nodes()].map(({ stats }) => stats),
      node: (nodeId) => control.view.node(nodeId)?.stats,
      isLive: (nodeId) => control.isLive(nodeId),
    });
    metadata.onChange(() => {
      this.#metadataChanges += 1;
    });
  }

  /** Watches itself and the data nodes until the returned function is called. */
  start(): Promise<() => Promise<void>> {
    return this.#control.start();
  }

  /** From now on probes are told that this coordinator goes away. */
  drain(): void {
    this.#stopping = true;
  }

  /** The HTTP service, not yet listening. */
  app({ report, publishAddress }: ServiceAsks): Express {
    this.#publishAddress = publishAddress;
    const { elasticCompat } = this.#ports.config;
    return coordinatorApp({ routes: this.#routes(), elasticCompat, report });
  }

  /** Every route there is. */
  #routes(): readonly RouteSpec[] {
    const { config, settings, timers, http } = this.#ports;
    const bulk = bulkDependencies(this.#ports, this.#control, {
      topology: this.#topology,
      callPrimary: callPrimaryBy(DATA_NODE_FORM, http, () => accessHeaders(config.access)),
      whoReports: (copies) => copies,
    });
    const collectBody = plainBodies(timers);
    return [
      ...bulkRoutes(bulk),
      ...documentWriteRoutes(bulk),
      ...settingsRoutes({
        ...{ settings, collectBody, options: config.effective, access: config.access },
        appliedVersions: () => this.#control.appliedVersions(),
      }),
      ...this.#readSurface(collectBody),
    ];
  }

  #readSurface(collectBody: CollectBody): readonly RouteSpec[] {
    const { config, http, clock } = this.#ports;
    const { view, pressure, recorder, metrics, ownStress } = this.#control;
    const topology = this.#topology;
    const calls = { http, headers: accessHeaders(config.access), timeoutMs: READ_TIMEOUT_MS };
    const facts = this.#facts();
    return readSurface({
      ...{ facts, calls, collectBody, admin: topology },
      reads: new ReadShards(topology, calls, facts.isLive),
      operator: {
        ...{ clock, view, recorder, pressure, metrics, name: config.nodeName },
        settings: () => this.#control.settings(),
        ownStress: () => ownStress.stress(),
        readiness: () => this.#readiness(facts),
      },
      sections: commonSections({ ...facts.self, roles: [] }, () => ({
        figures: this.#figures.read(),
        signals: ownStress.readings(),
        pressure: pressure.report(),
        combinedBytes: pressure.combinedBytes,
        admissionControl: recorder.admissionControlStats(),
      })),
      stateVersion: () => this.#metadataChanges,
    });
  }

  #facts(): ClusterFacts {
    const { config, clock, timers, rng } = this.#ports;
    const { clusterName, elasticCompat } = config;
    return {
      ...{ clusterName, elasticCompat, clock, timers, topology: this.#topology },
      clusterUuid: createHash('sha256').update(clusterName).digest('base64url').slice(0, 22),
      self: {
        id: rng.bytes(15).toString('base64url'),
        name: config.nodeName,
        publishAddress: () => this.#publishAddress(),
      },
      isLive: (nodeId) => this.#control.isLive(nodeId),
    };
  }

  #readiness(facts: ClusterFacts): Readiness {
    const { metadata, bus } = this.#ports;
    return readinessOf({
      metadataKnown: metadata.isSynced(),
      busUp: bus.isUp(),
      liveDataNodes: liveNodes(facts).length,
      stopping: this.#stopping,
    });
  }
}
