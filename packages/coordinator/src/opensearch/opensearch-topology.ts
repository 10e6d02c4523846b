// Where the copies are, by the state of an OpenSearch cluster: asked every second whether it changed, read when it did.
import {
  type Cancel,
  type Clock,
  type IndexMetadata,
  type Timers,
  toWeirError,
  WeirError,
} from '@weir/shared';
import type { Addressed, Target, Topology, TopologyNode } from '../cluster/topology.ts';
import { type ClusterPicture, clusterPicture } from './cluster-picture.ts';
import {
  ALIASES_PATH,
  aliasesSchema,
  clusterStateSchema,
  NODES_HTTP_PATH,
  nodesHttpSchema,
  STATE_PATH,
  STATE_VERSION_PATH,
  type StateVersion,
  stateVersionSchema,
} from './cluster-state.ts';
import { resolveTarget } from './resolve-target.ts';
import type { Upstream } from './upstream.ts';

export type OpenSearchTopologyPorts = {
  readonly upstream: Pick<Upstream, 'read'>;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Base URL of the agent beside a node; undefined where none was ever heard of. */
  readonly agentAddress: (nodeId: string) => string | undefined;
  readonly warn: (message: string, fields: Readonly<Record<string, string | number>>) => void;
};

/** How current the picture is. Unknown is a state: before the first answer, and while nobody answers. */
export type PictureStatus = {
  readonly known: boolean;
  /** Since OpenSearch last said that this is still its state; undefined before the first time. */
  readonly ageMs: number | undefined;
  readonly version: number | undefined;
  /** Why it could not be read the last time; undefined while it can. */
  readonly problem: string | undefined;
};

/** Asking costs OpenSearch some tenths of a millisecond; reading is rare. */
const POLL_PERIOD_MS = 1_000;
const POLL_TIMEOUT_MS = 2_000;
const READ_TIMEOUT_MS = 20_000;
/** A storm of answers that the picture is old asks no more often than this. */
const LEAST_GAP_MS = 100;

export class OpenSearchTopology implements Topology {
  readonly #ports: OpenSearchTopologyPorts;
  #picture: ClusterPicture | undefined;
  #confirmedMs: number | undefined;
  #problem: string | undefined;
  #polling: Promise<void> | undefined;
  #startedMs = Number.NEGATIVE_INFINITY;
  #soon: Cancel | undefined;
  #cancel: Cancel | undefined;

  constructor(ports: OpenSearchTopologyPorts) {
    this.#ports = ports;
  }

  /** Resolves after the first try, whatever came of it, and goes on until `stop`. */
  async start(): Promise<void> {
    this.#cancel = this.#ports.timers.every(POLL_PERIOD_MS, () => void this.poll());
    await this.poll();
  }

  stop(): void {
    this.#cancel?.();
    this.#soon?.();
  }

  /** Asks now, once at a time; never rejects. */
  poll(): Promise<void> {
    this.#polling ??= this.#poll().finally(() => {
      this.#polling = undefined;
    });
    return this.#polling;
  }

  refreshSoon(): void {
    if (this.#soon !== undefined) return;
    const { clock, timers } = this.#ports;
    const waitMs = Math.max(0, this.#startedMs + LEAST_GAP_MS - clock.nowMs());
    this.#soon = timers.after(waitMs, () => {
      this.#soon = undefined;
      void this.poll();
    });
  }

  resolve(action: Addressed): Target {
    return resolveTarget(this.#picture, action);
  }

  index(name: string): IndexMetadata | undefined {
    return this.#picture?.indices.get(name)?.metadata;
  }

  indices(): readonly IndexMetadata[] {
    return [...(this.#picture?.indices.values() ?? [])].map(({ metadata }) => metadata);
  }

  /** Making indices is OpenSearch's own business. */
  async ensureIndex(name: string): Promise<IndexMetadata> {
    const index = this.index(name);
    if (index === undefined) throw new WeirError('index_not_found', `no such index [${name}]`);
    return index;
  }

  node(id: string): TopologyNode | undefined {
    const node = this.#picture?.nodes.get(id);
    return node === undefined ? undefined : this.#withAddress(node);
  }

  nodes(): readonly TopologyNode[] {
    return [...(this.#picture?.nodes.values() ?? [])].map((node) => this.#withAddress(node));
  }

  /** Host and port of a node's own HTTP interface. */
  httpAddress(nodeId: string): string | undefined {
    return this.#picture?.nodes.get(nodeId)?.httpAddress;
  }

  clusterName(): string | undefined {
    return this.#picture?.clusterName;
  }

  status(): PictureStatus {
    const ageMs = this.#confirmedMs === undefined ? undefined : this.#ports.clock.nowMs() - this.#confirmedMs;
    return {
      known: this.#picture !== undefined,
      ageMs,
      version: this.#picture?.version,
      problem: this.#problem,
    };
  }

  #withAddress({ id, name }: { readonly id: string; readonly name: string }): TopologyNode {
    return { id, name, address: this.#ports.agentAddress(id) ?? '' };
  }

  async #poll(): Promise<void> {
    const { upstream, clock } = this.#ports;
    this.#startedMs = clock.nowMs();
    try {
      const version = await upstream.read(STATE_VERSION_PATH, stateVersionSchema, POLL_TIMEOUT_MS);
      if (!this.#isCurrent(version)) this.#picture = await this.#read();
      this.#confirmedMs = clock.nowMs();
      this.#problem = undefined;
    } catch (thrown) {
      this.#fail(toWeirError(thrown).message);
    }
  }

  #isCurrent({ cluster_uuid, version, state_uuid }: StateVersion): boolean {
    const picture = this.#picture;
    return (
      picture !== undefined &&
      picture.version === version &&
      picture.stateUuid === state_uuid &&
      picture.clusterUuid === cluster_uuid
    );
  }

  /** What is read beside the state may be newer than it: then the version has moved on too, and the next poll reads again. */
  async #read(): Promise<ClusterPicture> {
    const { upstream } = this.#ports;
    const [state, aliases, http] = await Promise.all([
      upstream.read(STATE_PATH, clusterStateSchema, READ_TIMEOUT_MS),
      upstream.read(ALIASES_PATH, aliasesSchema, READ_TIMEOUT_MS),
      upstream.read(NODES_HTTP_PATH, nodesHttpSchema, READ_TIMEOUT_MS),
    ]);
    return clusterPicture(state, aliases, http);
  }

  #fail(problem: string): void {
    this.#problem = problem;
    const { ageMs } = this.status();
    this.#ports.warn('the state of OpenSearch cannot be read, the last picture of it is kept', {
      reason: problem,
      ...(ageMs === undefined ? {} : { age_ms: Math.round(ageMs) }),
    });
  }
}
