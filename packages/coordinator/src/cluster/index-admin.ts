// The port by which indices are made, changed and removed; the cluster's own metadata implements it.
import type { IndexMetadata } from '@weir/shared';

export type CreateIndex = {
  readonly name: string;
  readonly numberOfShards: number | undefined;
  readonly numberOfReplicas: number | undefined;
  readonly routingNumShards: number | undefined;
  readonly routingPartitionSize: number | undefined;
  /** Settings kept and shown but not acted on, by flat key. */
  readonly settings: Readonly<Record<string, string>>;
  readonly mappings: Readonly<Record<string, unknown>>;
};

export interface IndexAdmin {
  /** Makes an index and places its copies; throws `resource_already_exists` or `invalid_index_name`. */
  createIndex(index: CreateIndex): Promise<IndexMetadata>;
  /** Removes an index with its documents; throws `index_not_found`. */
  deleteIndex(name: string): Promise<void>;
  /** Replaces the mappings that are shown. */
  putMappings(name: string, mappings: Readonly<Record<string, unknown>>): Promise<void>;
}
