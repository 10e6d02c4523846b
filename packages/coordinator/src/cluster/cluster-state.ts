// `_cluster/state`: nodes, index metadata and the routing table in OpenSearch's shape.
import type { IndexMetadata } from '@weir/shared';
import { type ClusterFacts, liveNodes } from './cluster-facts.ts';
import { indexSettingsBody } from './index-body.ts';
import { copiesOf, type ShardCopy } from './shard-copies.ts';

export const STATE_METRICS = [
  'version',
  'master_node',
  'cluster_manager_node',
  'nodes',
  'metadata',
  'routing_table',
  'routing_nodes',
  'blocks',
] as const;
export type StateMetric = (typeof STATE_METRICS)[number];

/** The parts asked for, of the indices asked for. */
export function clusterState(
  facts: ClusterFacts,
  metrics: ReadonlySet<StateMetric>,
  indices: readonly IndexMetadata[],
  version: number,
): Record<string, unknown> {
  const parts: Record<StateMetric, () => Record<string, unknown>> = {
    version: () => ({ version, state_uuid: `${facts.clusterUuid}-${version}` }),
    master_node: () => ({ master_node: facts.self.id }),
    cluster_manager_node: () => ({ cluster_manager_node: facts.self.id }),
    nodes: () => ({ nodes: nodesBody(facts) }),
    metadata: () => ({
      metadata: { cluster_uuid: facts.clusterUuid, indices: byName(indices, metadataBody) },
    }),
    routing_table: () => ({
      routing_table: { indices: byName(indices, (index) => ({ shards: routingBody(index, facts) })) },
    }),
    routing_nodes: () => ({ routing_nodes: routingNodes(indices, facts) }),
    blocks: () => ({ blocks: {} }),
  };
  const body: Record<string, unknown> = { cluster_name: facts.clusterName, cluster_uuid: facts.clusterUuid };
  for (const metric of STATE_METRICS) if (metrics.has(metric)) Object.assign(body, parts[metric]());
  return body;
}

function byName(
  indices: readonly IndexMetadata[],
  body: (index: IndexMetadata) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(indices.map((index) => [index.name, body(index)]));
}

/** Data nodes have no address here: clients that read it would go round the coordinator. */
function nodesBody(facts: ClusterFacts): Record<string, unknown> {
  const self = {
    name: facts.self.name,
    ephemeral_id: facts.self.id,
    transport_address: facts.self.publishAddress(),
    attributes: {},
  };
  const others = liveNodes(facts).map((node) => [
    node.id,
    { name: node.name, ephemeral_id: node.id, attributes: {} },
  ]);
  return { [facts.self.id]: self, ...Object.fromEntries(others) };
}

function metadataBody(index: IndexMetadata): Record<string, unknown> {
  const byShard = <T>(value: (shard: IndexMetadata['shards'][number]) => T): Record<string, T> =>
    Object.fromEntries(index.shards.map((shard, number) => [String(number), value(shard)]));
  return {
    state: 'open',
    routing_num_shards: index.routing_num_shards,
    settings: indexSettingsBody(index, false),
    mappings: index.mappings,
    aliases: [],
    primary_terms: byShard((shard) => shard.primary_term),
    in_sync_allocations: byShard((shard) =>
      [shard.primary, ...shard.replicas].flatMap((copy) => (copy === null ? [] : [copy.allocation_id])),
    ),
  };
}

function routingBody(index: IndexMetadata, facts: ClusterFacts): Record<string, unknown> {
  const shards: Record<string, unknown[]> = {};
  for (const copy of copiesOf(index, facts.isLive)) {
    const key = String(copy.shard);
    shards[key] = [...(shards[key] ?? []), copyBody(copy)];
  }
  return shards;
}

function copyBody(copy: ShardCopy): Record<string, unknown> {
  const common = { primary: copy.primary, relocating_node: null, shard: copy.shard, index: copy.index.name };
  if (copy.assigned === undefined)
    return {
      state: 'UNASSIGNED',
      ...common,
      node: null,
      recovery_source: { type: copy.primary ? 'EXISTING_STORE' : 'PEER' },
      unassigned_info: { reason: copy.unassignedReason },
    };
  return {
    state: 'STARTED',
    ...common,
    node: copy.assigned.node,
    allocation_id: { id: copy.assigned.allocation_id },
  };
}

function routingNodes(indices: readonly IndexMetadata[], facts: ClusterFacts): Record<string, unknown> {
  const unassigned: unknown[] = [];
  const nodes: Record<string, unknown[]> = Object.fromEntries(liveNodes(facts).map(({ id }) => [id, []]));
  for (const copy of indices.flatMap((index) => copiesOf(index, facts.isLive))) {
    const home = copy.assigned === undefined ? unassigned : nodes[copy.assigned.node];
    home?.push(copyBody(copy));
  }
  return { unassigned, nodes };
}
