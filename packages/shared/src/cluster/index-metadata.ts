// What the cluster knows of one index: its settings, its shard table and which copies are in sync.
import { z } from 'zod';

const copySchema = z.object({
  /** Node id (not name) that holds the copy. */
  node: z.string(),
  /** Unique per copy, so that a copy made anew on the same node is another copy. */
  allocation_id: z.string(),
});

const shardSchema = z.object({
  /** Rises with every new primary; operations of an older one are fenced. */
  primary_term: z.number().int().min(1),
  primary: copySchema.nullable(),
  /** Replica copies that are in sync; an acknowledged operation is on every one of them. */
  replicas: z.array(copySchema),
  /** Copies that fell out of sync and must not serve until they have caught up (a later feature). */
  lost: z.array(copySchema).default([]),
});

export const indexMetadataSchema = z.object({
  name: z.string(),
  uuid: z.string(),
  created_wall_ms: z.number(),
  number_of_shards: z.number().int().min(1).max(1024),
  number_of_replicas: z.number().int().min(0),
  routing_num_shards: z.number().int().min(1),
  routing_partition_size: z.number().int().min(1).default(1),
  /** Index settings kept but not acted on, as the creator gave them (flat keys, string values). */
  settings: z.record(z.string(), z.string()).default({}),
  /** Mappings kept and shown as given. */
  mappings: z.record(z.string(), z.unknown()).default({}),
  shards: z.array(shardSchema),
});

export type IndexMetadata = z.infer<typeof indexMetadataSchema>;
export type ShardMetadata = z.infer<typeof shardSchema>;
export type CopyMetadata = z.infer<typeof copySchema>;
