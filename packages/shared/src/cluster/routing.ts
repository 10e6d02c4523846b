// Which shard a document belongs to, by OpenSearch's rule, so that both find it.
import type { IndexMetadata } from './index-metadata.ts';
import { murmur3 } from './murmur3.ts';

/** The part of an index that routing depends on; fixed when the index is made. */
export type RoutingRule = Pick<
  IndexMetadata,
  'number_of_shards' | 'routing_num_shards' | 'routing_partition_size'
>;

/** Shard of the document `id`, in [0, number_of_shards); `routing` as the client gave it. */
export function shardOf(rule: RoutingRule, id: string, routing: string | undefined): number {
  const { number_of_shards, routing_num_shards, routing_partition_size } = rule;
  // In a partitioned index one routing value spreads over as many shards as the partition has.
  const offset = routing_partition_size > 1 ? floorMod(murmur3(id), routing_partition_size) : 0;
  const slot = floorMod(murmur3(routing ?? id) + offset, routing_num_shards);
  return Math.floor(slot / (routing_num_shards / number_of_shards));
}

/** OpenSearch's choice for a new index: the largest number up to 1024 to which its shards can be split by doubling, at least one split. */
export function defaultRoutingNumShards(numberOfShards: number): number {
  const splits = Math.max(1, 10 - Math.ceil(Math.log2(numberOfShards)));
  return numberOfShards * 2 ** splits;
}

function floorMod(value: number, modulus: number): number {
  return ((value % modulus) + modulus) % modulus;
}
