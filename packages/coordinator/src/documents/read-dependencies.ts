// What routes that read documents are handed.
import type { Topology } from '../cluster/topology.ts';
import type { CollectBody } from '../http/read-json-body.ts';
import type { ReadShards } from './read-shards.ts';
import type { ShardOf } from './search-shards.ts';

export type ReadDependencies = {
  readonly topology: Pick<Topology, 'index' | 'indices'>;
  readonly reads: ReadShards;
  readonly shardOf: ShardOf;
  readonly collectBody: CollectBody;
};
