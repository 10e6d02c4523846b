// One picture of an OpenSearch cluster as routing needs it: its indices with their copies, aliases, data streams and nodes.
import type { CopyMetadata, IndexMetadata, ShardMetadata } from '@weir/shared';
import type { Aliases, ClusterState, IndexState, NodesHttp, ShardCopy } from './cluster-state.ts';

export type KnownIndex = {
  readonly metadata: IndexMetadata;
  readonly open: boolean;
  readonly blocked: boolean;
  /** The pipeline its documents pass unless a request names another. */
  readonly defaultPipeline: string | undefined;
  readonly finalPipeline: string | undefined;
  /** Places documents by other rules than the hash of their routing, or lets nobody choose an id. */
  readonly ownRules: boolean;
};

export type KnownAlias = {
  /** The index that writes through the alias go to; undefined where there is none. */
  readonly writeIndex: string | undefined;
  readonly writeRouting: string | undefined;
};

type KnownNode = {
  readonly id: string;
  readonly name: string;
  /** Host and port of its HTTP interface; undefined where it has none. */
  readonly httpAddress: string | undefined;
};

export type ClusterPicture = {
  readonly clusterName: string;
  readonly clusterUuid: string;
  readonly version: number;
  readonly stateUuid: string;
  readonly indices: ReadonlyMap<string, KnownIndex>;
  readonly aliases: ReadonlyMap<string, KnownAlias>;
  /** The backing index that each data stream writes to. */
  readonly dataStreams: ReadonlyMap<string, string | undefined>;
  readonly nodes: ReadonlyMap<string, KnownNode>;
};

/** Puts together what the three requests told. */
export function clusterPicture(state: ClusterState, aliases: Aliases, http: NodesHttp): ClusterPicture {
  const { indices, data_stream } = state.metadata;
  const tables = state.routing_table.indices;
  return {
    clusterName: state.cluster_name,
    clusterUuid: state.cluster_uuid,
    version: state.version,
    stateUuid: state.state_uuid,
    indices: new Map(
      Object.entries(indices).map(([name, index]) => [
        name,
        knownIndex(name, index, tables[name]?.shards ?? {}),
      ]),
    ),
    aliases: knownAliases(aliases),
    dataStreams: new Map(
      Object.entries(data_stream?.data_stream ?? {}).map(([name, stream]) => [
        name,
        stream.indices.at(-1)?.index_name,
      ]),
    ),
    nodes: new Map(
      Object.entries(state.nodes).map(([id, { name }]) => [
        id,
        { id, name, httpAddress: httpAddress(http.nodes[id]?.http?.publish_address) },
      ]),
    ),
  };
}

type CopiesByShard = Readonly<Record<string, readonly ShardCopy[]>>;

function knownIndex(name: string, state: IndexState, copies: CopiesByShard): KnownIndex {
  const { index } = state.settings;
  const { blocks } = index;
  return {
    metadata: indexMetadata(name, state, copies),
    open: state.state === 'open',
    blocked: [blocks.read_only, blocks.write, blocks.read_only_allow_delete].includes(true),
    defaultPipeline: pipeline(index.default_pipeline),
    finalPipeline: pipeline(index.final_pipeline),
    ownRules:
      index.number_of_virtual_shards !== -1 ||
      index.append_only.enabled === true ||
      index.routing_path !== undefined,
  };
}

function pipeline(name: string | undefined): string | undefined {
  return name === '_none' ? undefined : name;
}

function indexMetadata(name: string, state: IndexState, copies: CopiesByShard): IndexMetadata {
  const { index } = state.settings;
  return {
    name,
    uuid: index.uuid,
    created_wall_ms: index.creation_date,
    number_of_shards: index.number_of_shards,
    number_of_replicas: index.number_of_replicas,
    routing_num_shards: state.routing_num_shards,
    routing_partition_size: index.routing_partition_size,
    settings: {},
    mappings: {},
    shards: Array.from({ length: index.number_of_shards }, (_, shard) =>
      shardMetadata(copies[shard] ?? [], state.primary_terms[shard] ?? 0),
    ),
  };
}

function shardMetadata(copies: readonly ShardCopy[], primaryTerm: number): ShardMetadata {
  const active = copies.flatMap(({ state, primary, node, allocation_id }) => {
    // One that relocates serves until its successor is ready, at the node it is leaving.
    if (node === null || (state !== 'STARTED' && state !== 'RELOCATING')) return [];
    const copy: CopyMetadata = { node, allocation_id: allocation_id?.id ?? '' };
    return [{ primary, copy }];
  });
  return {
    // 0 until the first primary of a new index starts; then there is none to send anything to.
    primary_term: Math.max(1, primaryTerm),
    primary: active.find(({ primary }) => primary)?.copy ?? null,
    replicas: active.filter(({ primary }) => !primary).map(({ copy }) => copy),
    lost: [],
  };
}

function knownAliases(aliases: Aliases): ReadonlyMap<string, KnownAlias> {
  type Member = { readonly index: string; readonly isWriteIndex?: boolean; readonly routing?: string };
  const members = new Map<string, Member[]>();
  for (const [index, { aliases: own }] of Object.entries(aliases))
    for (const [name, { is_write_index, index_routing }] of Object.entries(own)) {
      const member: Member = {
        index,
        ...(is_write_index === undefined ? {} : { isWriteIndex: is_write_index }),
        ...(index_routing === undefined ? {} : { routing: index_routing }),
      };
      members.set(name, [...(members.get(name) ?? []), member]);
    }
  return new Map(
    [...members].map(([name, own]) => {
      const [only] = own;
      // A single index is written to unless it says that it is not.
      const alone = own.length === 1 && only?.isWriteIndex !== false ? only : undefined;
      const write = own.find((member) => member.isWriteIndex === true) ?? alone;
      return [name, { writeIndex: write?.index, writeRouting: write?.routing }];
    }),
  );
}

/** `host:port`. A node that publishes a host name shows `name/address:port`, and the name is what certificates are made for. */
function httpAddress(published: string | undefined): string | undefined {
  if (published === undefined) return undefined;
  const slash = published.indexOf('/');
  return slash <= 0
    ? published
    : `${published.slice(0, slash)}${published.slice(published.lastIndexOf(':'))}`;
}
