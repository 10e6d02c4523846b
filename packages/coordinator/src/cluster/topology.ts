// The port that tells where the copies of an index's shards are: Weir's own metadata, or the state of an OpenSearch cluster.
import type { IndexMetadata, UnsplitReason } from '@weir/shared';

/** A node that can hold copies, with the address to reach it; an empty one where none is known. */
export type TopologyNode = { readonly id: string; readonly name: string; readonly address: string };

/** What an action and its request say that bears on where it goes. */
export type Addressed = {
  readonly index: string;
  readonly routing: string | undefined;
  readonly pipeline: string | undefined;
  readonly requireAlias: boolean;
};

/** Where an action goes. */
export type Target =
  | {
      readonly kind: 'index';
      readonly metadata: IndexMetadata;
      /** The one its shard goes by. */
      readonly routing: string | undefined;
      readonly throughAlias: boolean;
    }
  /** There is no such index; it may be made. */
  | { readonly kind: 'missing' }
  /** Its shard cannot be told here: it goes on as it came. */
  | {
      readonly kind: 'unsplit';
      readonly reason: UnsplitReason;
      /** The index it most likely ends in. */
      readonly likely: IndexMetadata | undefined;
    };

export interface Topology {
  /** Where an action goes; never waits. */
  resolve(action: Addressed): Target;
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

/** A topology in which every name is an index or none: no aliases, streams or pipelines. */
export function resolvePlain(metadata: IndexMetadata | undefined, { routing }: Addressed): Target {
  return metadata === undefined
    ? { kind: 'missing' }
    : { kind: 'index', metadata, routing, throughAlias: false };
}
