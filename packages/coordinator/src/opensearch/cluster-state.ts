// What Weir reads of an OpenSearch cluster's state: the parts that routing needs, everything else ignored.
import { z } from 'zod';

/** Settings are shown as text. */
const flag = z.union([z.boolean(), z.string()]).transform((value) => value === true || value === 'true');

const indexSchema = z.object({
  state: z.string(),
  routing_num_shards: z.number().int().min(1),
  settings: z.object({
    index: z.object({
      uuid: z.string(),
      creation_date: z.coerce.number().default(0),
      number_of_shards: z.coerce.number().int().min(1),
      number_of_replicas: z.coerce.number().int().min(0),
      routing_partition_size: z.coerce.number().int().min(1).default(1),
      default_pipeline: z.string().optional(),
      final_pipeline: z.string().optional(),
      blocks: z.object({ read_only: flag, write: flag, read_only_allow_delete: flag }).partial().default({}),
      /** Newer versions: documents go by something else than the hash of their routing, or must come without an id. */
      number_of_virtual_shards: z.coerce.number().default(-1),
      append_only: z.object({ enabled: flag }).partial().default({}),
      routing_path: z.unknown().optional(),
    }),
  }),
  primary_terms: z.record(z.string(), z.number()).default({}),
});

const copySchema = z.object({
  state: z.string(),
  primary: z.boolean(),
  node: z.string().nullable(),
  allocation_id: z.object({ id: z.string() }).optional(),
});

const dataStreamSchema = z.object({ indices: z.array(z.object({ index_name: z.string() })).default([]) });

export const stateVersionSchema = z.object({
  cluster_uuid: z.string().default(''),
  version: z.number(),
  state_uuid: z.string(),
});

export const clusterStateSchema = stateVersionSchema.extend({
  cluster_name: z.string(),
  nodes: z.record(z.string(), z.object({ name: z.string() })).default({}),
  metadata: z
    .object({
      indices: z.record(z.string(), indexSchema).default({}),
      data_stream: z.object({ data_stream: z.record(z.string(), dataStreamSchema).default({}) }).optional(),
    })
    .default({ indices: {} }),
  routing_table: z
    .object({
      indices: z
        .record(z.string(), z.object({ shards: z.record(z.string(), z.array(copySchema)) }))
        .default({}),
    })
    .default({ indices: {} }),
});

/** `GET /_alias`: the state names aliases, but says nothing of their write index and routing. */
export const aliasesSchema = z.record(
  z.string(),
  z.object({
    aliases: z
      .record(
        z.string(),
        z.object({ is_write_index: z.boolean().optional(), index_routing: z.string().optional() }),
      )
      .default({}),
  }),
);

/** `GET /_nodes/http`: the state knows no HTTP addresses. */
export const nodesHttpSchema = z.object({
  nodes: z
    .record(z.string(), z.object({ http: z.object({ publish_address: z.string() }).optional() }))
    .default({}),
});

export type StateVersion = z.infer<typeof stateVersionSchema>;
export type ClusterState = z.infer<typeof clusterStateSchema>;
export type IndexState = z.infer<typeof indexSchema>;
export type ShardCopy = z.infer<typeof copySchema>;
export type Aliases = z.infer<typeof aliasesSchema>;
export type NodesHttp = z.infer<typeof nodesHttpSchema>;

const INDEX_SETTINGS = [
  'uuid',
  'creation_date',
  'number_of_shards',
  'number_of_replicas',
  'routing_partition_size',
  'default_pipeline',
  'final_pipeline',
  'blocks',
  'number_of_virtual_shards',
  'append_only',
  'routing_path',
];

/** Mappings are most of a state and say nothing of where a document goes: they are left out at the source. */
const STATE_FIELDS = [
  'cluster_name',
  'cluster_uuid',
  'version',
  'state_uuid',
  'nodes.*.name',
  'metadata.indices.*.state',
  'metadata.indices.*.routing_num_shards',
  'metadata.indices.*.primary_terms',
  ...INDEX_SETTINGS.map((name) => `metadata.indices.*.settings.index.${name}`),
  'metadata.data_stream.data_stream.*.indices.index_name',
  'routing_table.indices.*.shards.*.state',
  'routing_table.indices.*.shards.*.primary',
  'routing_table.indices.*.shards.*.node',
  'routing_table.indices.*.shards.*.allocation_id',
];

export const STATE_VERSION_PATH = '/_cluster/state/version';
export const STATE_PATH = `/_cluster/state/version,metadata,routing_table,nodes?filter_path=${STATE_FIELDS.join(',')}`;
export const ALIASES_PATH = '/_alias';
export const NODES_HTTP_PATH = '/_nodes/http?filter_path=nodes.*.http.publish_address';
