// The port by which indices are made, changed and removed; the cluster's own metadata implements it.
import type { IndexMetadata } from '@weir/shared';

export interface IndexAdmin {
  /** Makes the index that the body of a create request asks for and places its copies; throws what is wrong with either. */
  createIndex(name: string, body: unknown): Promise<IndexMetadata>;
  /** Removes an index with its documents; throws `index_not_found`. */
  deleteIndex(name: string): Promise<void>;
  /** Replaces the mappings that are shown. */
  putMappings(name: string, mappings: Readonly<Record<string, unknown>>): Promise<void>;
}
