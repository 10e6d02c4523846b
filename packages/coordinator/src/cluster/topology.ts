// The port that tells where the copies of an index's shards are: Weir's own metadata, later the state of an OpenSearch cluster.
import type { IndexMetadata } from '@weir/shared';

/** A node that can hold copies, with the address to reach it. */
export type TopologyNode = { readonly id: string; readonly name: string; readonly address: string };

export interface Topology {
  /** Metadata of an index, or undefined where it does not exist; never waits. */
  index(name: string): IndexMetadata | undefined;
  /** Every index, by name. */
  indices(): readonly IndexMetadata[];
  /** Returns the index, making it first when it does not exist and auto-creation allows it; throws WeirError otherwise. */
  ensureIndex(name: string): Promise<IndexMetadata>;
  /** A data node by id; undefined when it is not known. */
  node(id: string): TopologyNode | undefined;
  nodes(): readonly TopologyNode[];
  /** Called when an answer showed that the picture is old (shard not found, stale term). */
  refreshSoon(): void;
}
