// The parts of a coordinator in front of an OpenSearch cluster, and how they know each other.
import { accessHeaders, openSearchConnection } from '@weir/shared';
import type { Express } from 'express';
import { type BulkDependencies, bulkDependencies } from '../bulk/bulk-dependencies.ts';
import { bulkRoutes } from '../bulk/bulk-routes.ts';
import { versionRoute } from '../cluster/root-routes.ts';
import type { CoordinatorPorts, ServiceAsks } from '../coordinator-parts.ts';
import { operatorRoutes } from '../stats/operator-routes.ts';
import type { Readiness } from '../stats/readiness.ts';
import { ControlPath } from '../view/control-path.ts';
import { agentCalls, agentsReport } from './agent-calls.ts';
import { checkUpstream } from './check-upstream.ts';
import { clusterRoute } from './cluster-route.ts';
import { settingsOfBoth } from './cluster-settings.ts';
import { frontApp } from './front-app.ts';
import { frontReadiness } from './front-readiness.ts';
import { judgedWriteRoutes } from './judge-then-pass.ts';
import { OpenSearchTopology } from './opensearch-topology.ts';
import { passThrough } from './pass-through.ts';
import { sendPart } from './pass-through-part.ts';
import { Upstream } from './upstream.ts';

/** A request that OpenSearch itself would answer after a client's whole time still gets its answer. */
const PASSING_MARGIN_MS = 5_000;

export class FrontParts {
  readonly #ports: Omit<CoordinatorPorts, 'metadata'>;
  readonly #control: ControlPath;
  readonly #upstream: Upstream;
  readonly #topology: OpenSearchTopology;
  #stopping = false;

  /** Throws `config` where the options do not make a connection. */
  constructor(ports: Omit<CoordinatorPorts, 'metadata'>) {
    const { config, clock, timers, warnings } = ports;
    this.#ports = ports;
    this.#control = new ControlPath({ ...ports, name: config.nodeName });
    this.#upstream = new Upstream(openSearchConnection(config), { clock, timers });
    this.#topology = new OpenSearchTopology({
      ...{ clock, timers, upstream: this.#upstream },
      agentAddress: (nodeId) => this.#agentAddress(nodeId),
      warn: (message, fields) => warnings.warn(message, fields, message),
    });
  }

  /** Rejects with one clear line where no OpenSearch answers; watches the cluster, its agents and itself until the returned function is called. */
  async start(): Promise<() => Promise<void>> {
    const { log } = this.#ports;
    try {
      const { unreachable, clusterName, product, version } = await checkUpstream(this.#upstream);
      log.info(
        // Not `version`: each line says by that name which Weir wrote it.
        { cluster_name: clusterName, product, product_version: version, urls: this.#upstream.origins },
        'in front of a cluster',
      );
      for (const problem of unreachable) log.warn({ problem }, 'an address of the cluster does not answer');
      const stopWatching = await this.#control.start();
      await this.#topology.start();
      return async () => {
        this.#topology.stop();
        await stopWatching();
        await this.#upstream.close();
      };
    } catch (thrown) {
      await this.#upstream.close();
      throw thrown;
    }
  }

  /** From now on probes are told that this coordinator goes away. */
  drain(): void {
    this.#stopping = true;
  }

  /** The HTTP service, not yet listening. */
  app({ report }: Pick<ServiceAsks, 'report'>): Express {
    const { config, clock, timers, settings } = this.#ports;
    const { view, pressure, recorder, metrics, ownStress } = this.#control;
    const bulk = this.#bulkDependencies();
    const baseTimeoutMs = config.timeouts.clientMs + PASSING_MARGIN_MS;
    const passing = { upstream: this.#upstream, timers, baseTimeoutMs };
    const own = settingsOfBoth(
      {
        ...{ settings, options: config.effective, access: config.access },
        appliedVersions: () => this.#control.appliedVersions(),
      },
      passing,
    );
    const isOwn = ({ path }: { readonly path: string }): boolean => path.startsWith('/_weir/');
    return frontApp({
      own: [
        versionRoute,
        clusterRoute(this.#topology),
        ...operatorRoutes({
          ...{ clock, view, recorder, pressure, metrics, name: config.nodeName },
          settings: () => this.#control.settings(),
          ownStress: () => ownStress.stress(),
          readiness: () => this.#readiness(),
        }),
        ...own.filter(isOwn),
      ],
      settings: own.filter((spec) => !isOwn(spec)),
      judged: [...bulkRoutes(bulk), ...judgedWriteRoutes(bulk, passing)],
      passThrough: (request, response) => passThrough(request, response, passing),
      inForce: () => this.#control.settings(),
      ...{ elasticCompat: config.elasticCompat, report },
    });
  }

  #bulkDependencies(): BulkDependencies {
    const { config, http } = this.#ports;
    return bulkDependencies(this.#ports, this.#control, {
      topology: this.#topology,
      callPrimary: agentCalls({
        ...{ http, upstream: this.#upstream, internalHeaders: accessHeaders(config.access) },
        httpAddress: (nodeId) => this.#topology.httpAddress(nodeId),
        onAgentLoss: () => this.#control.settings().opensearch.onAgentLoss,
      }),
      whoReports: agentsReport,
      sendUnsplit: sendPart(this.#upstream),
    });
  }

  /** An agent that was silent for long is not there. */
  #agentAddress(nodeId: string): string | undefined {
    return this.#control.isLive(nodeId) ? this.#control.view.node(nodeId)?.stats.address : undefined;
  }

  #readiness(): Readiness {
    return frontReadiness({
      status: this.#topology.status(),
      nodes: this.#topology.nodes(),
      busUp: this.#ports.bus.isUp(),
      stopping: this.#stopping,
    });
  }
}
