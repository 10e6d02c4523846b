// Where the copies are, by Weir's own metadata; makes and removes indices in it.
import {
  autoCreateRefusal,
  type Clock,
  checkIndexName,
  checkShardLimit,
  type EffectiveSettings,
  type IndexMetadata,
  type MetadataStore,
  newIndex,
  type Rng,
  WeirError,
} from '@weir/shared';
import type { IndexAdmin } from './index-admin.ts';
import { type Addressed, resolvePlain, type Target, type Topology, type TopologyNode } from './topology.ts';

export type OwnTopologyParts = {
  readonly metadata: MetadataStore;
  /** Every data node that is known, also one that is gone for the moment. */
  readonly nodes: () => readonly TopologyNode[];
  /** One of them, without looking through all: every shard request asks. */
  readonly node: (nodeId: string) => TopologyNode | undefined;
  readonly isLive: (nodeId: string) => boolean;
  readonly settings: () => EffectiveSettings;
  readonly clock: Clock;
  readonly rng: Rng;
};

export class OwnTopology implements Topology, IndexAdmin {
  readonly #parts: OwnTopologyParts;
  readonly #making = new Map<string, Promise<IndexMetadata>>();

  constructor(parts: OwnTopologyParts) {
    this.#parts = parts;
  }

  resolve(action: Addressed): Target {
    return resolvePlain(this.index(action.index), action);
  }

  index(name: string): IndexMetadata | undefined {
    return this.#parts.metadata.get(name);
  }

  indices(): readonly IndexMetadata[] {
    return this.#parts.metadata.all();
  }

  node(id: string): TopologyNode | undefined {
    return this.#parts.node(id);
  }

  nodes(): readonly TopologyNode[] {
    return this.#parts.nodes();
  }

  refreshSoon(): void {
    this.#parts.metadata.refreshSoon();
  }

  async ensureIndex(name: string): Promise<IndexMetadata> {
    const known = this.index(name);
    if (known !== undefined) return known;
    // A burst of first writes waits for one index.
    let making = this.#making.get(name);
    if (making === undefined) {
      making = this.#makeMissing(name).finally(() => this.#making.delete(name));
      this.#making.set(name, making);
    }
    return making;
  }

  async createIndex(name: string, body: unknown): Promise<IndexMetadata> {
    return this.#make(name, body);
  }

  deleteIndex(name: string): Promise<void> {
    return this.#parts.metadata.delete(name);
  }

  async putMappings(name: string, mappings: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#parts.metadata.change(name, (current) => ({ ...current, mappings }));
  }

  async #makeMissing(name: string): Promise<IndexMetadata> {
    checkIndexName(name);
    const { metadata } = this.#parts;
    // Before the first read nothing is known to be missing.
    if (!metadata.isSynced()) await metadata.refresh();
    const appeared = this.index(name);
    if (appeared !== undefined) return appeared;
    const refusal = autoCreateRefusal(this.#parts.settings().autoCreateIndex, name);
    if (refusal !== undefined)
      throw new WeirError('index_not_found', `no such index [${name}] and ${refusal}`, {
        fields: { index: name, index_uuid: '_na_' },
      });
    try {
      return await this.#make(name, {});
    } catch (error) {
      // Another coordinator made it in the same moment: its index is as good.
      const theirs = this.index(name);
      if (theirs !== undefined) return theirs;
      throw error;
    }
  }

  #make(name: string, body: unknown): Promise<IndexMetadata> {
    const { metadata, isLive, settings, clock, rng } = this.#parts;
    const nodeIds = this.nodes()
      .map(({ id }) => id)
      .filter(isLive);
    const index = newIndex(name, body, { nodeIds, indices: this.indices(), clock, rng });
    // Without a node its primaries would be nowhere, and stay so.
    if (nodeIds.length === 0)
      throw new WeirError('unavailable_shards', `no data node is there to hold index [${name}]`);
    checkShardLimit(index, this.indices(), nodeIds.length, settings().maxShardsPerNode);
    return metadata.create(index);
  }
}
