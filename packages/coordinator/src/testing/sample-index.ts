// Index metadata for tests, with as much given as a test cares about.
import type { IndexMetadata } from '@weir/shared';

/** An index whose shard `n` has its primary on `nodes[0]` and its replicas on the others. */
export function sampleIndex(
  name: string,
  options: { readonly shards?: number; readonly replicas?: number; readonly nodes?: readonly string[] } = {},
): IndexMetadata {
  const { shards = 1, replicas = 0, nodes = ['n1'] } = options;
  const [primary = null, ...others] = nodes.map((node) => ({ node, allocation_id: `${name}-${node}` }));
  return {
    name,
    uuid: `uuid-of-${name}`,
    created_wall_ms: 1_700_000_000_000,
    number_of_shards: shards,
    number_of_replicas: replicas,
    routing_num_shards: 1024,
    routing_partition_size: 1,
    settings: {},
    mappings: {},
    shards: Array.from({ length: shards }, () => ({ primary_term: 1, primary, replicas: others, lost: [] })),
  };
}

/** The part of a topology that reads indices. */
export function sampleIndices(...indices: readonly IndexMetadata[]) {
  return {
    index: (name: string) => indices.find((index) => index.name === name),
    indices: () => indices,
  };
}
