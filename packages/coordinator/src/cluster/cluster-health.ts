// Green, yellow or red: what the shard tables and the nodes that are there say together, in OpenSearch's shape.
import type { IndexMetadata } from '@weir/shared';
import { copiesOf, type IsLive, type ShardCopy } from './shard-copies.ts';

export const HEALTH_LEVELS = ['green', 'yellow', 'red'] as const;
export type Health = (typeof HEALTH_LEVELS)[number];

export type HealthSummary = {
  readonly status: Health;
  readonly activePrimaries: number;
  readonly active: number;
  readonly unassigned: number;
  readonly unassignedPrimaries: number;
  readonly activePercent: number;
};

/** Red while a primary does not serve, yellow while a replica does not. */
export function summarize(copies: readonly ShardCopy[]): HealthSummary {
  const unassigned = copies.filter((copy) => copy.assigned === undefined);
  const unassignedPrimaries = unassigned.filter((copy) => copy.primary).length;
  const active = copies.length - unassigned.length;
  return {
    status: unassignedPrimaries > 0 ? 'red' : unassigned.length > 0 ? 'yellow' : 'green',
    activePrimaries: copies.filter((copy) => copy.primary).length - unassignedPrimaries,
    active,
    unassigned: unassigned.length,
    unassignedPrimaries,
    activePercent: copies.length === 0 ? 100 : (active / copies.length) * 100,
  };
}

/** Health of one index. */
export function indexHealth(index: IndexMetadata, isLive: IsLive): HealthSummary {
  return summarize(copiesOf(index, isLive));
}

/** Whether `actual` is at least as good as `wanted`. */
export function isAtLeast(actual: Health, wanted: Health): boolean {
  return HEALTH_LEVELS.indexOf(actual) <= HEALTH_LEVELS.indexOf(wanted);
}

export type HealthFacts = {
  readonly clusterName: string;
  readonly indices: readonly IndexMetadata[];
  /** An index was asked for by name that does not exist. */
  readonly missingIndex: boolean;
  readonly nodes: number;
  readonly dataNodes: number;
  readonly isLive: IsLive;
};

/** OpenSearch's body of `_cluster/health`; `level` adds indices or their shards. */
export function healthBody(
  facts: HealthFacts,
  timedOut: boolean,
  level: 'cluster' | 'indices' | 'shards',
): Record<string, unknown> {
  const all = summarize(facts.indices.flatMap((index) => copiesOf(index, facts.isLive)));
  const body = {
    cluster_name: facts.clusterName,
    status: facts.missingIndex ? 'red' : all.status,
    timed_out: timedOut,
    number_of_nodes: facts.nodes,
    number_of_data_nodes: facts.dataNodes,
    discovered_master: true,
    discovered_cluster_manager: true,
    ...shardCounts(all),
    delayed_unassigned_shards: 0,
    number_of_pending_tasks: 0,
    number_of_in_flight_fetch: 0,
    task_max_waiting_in_queue_millis: 0,
    active_shards_percent_as_number: all.activePercent,
  };
  if (level === 'cluster') return body;
  const indices = facts.indices.map((index) => [index.name, indexBody(index, facts.isLive, level)]);
  return { ...body, indices: Object.fromEntries(indices) };
}

function shardCounts(summary: HealthSummary) {
  return {
    active_primary_shards: summary.activePrimaries,
    active_shards: summary.active,
    relocating_shards: 0,
    initializing_shards: 0,
    unassigned_shards: summary.unassigned,
  };
}

function indexBody(index: IndexMetadata, isLive: IsLive, level: 'indices' | 'shards') {
  const copies = copiesOf(index, isLive);
  const summary = summarize(copies);
  const body = {
    status: summary.status,
    number_of_shards: index.number_of_shards,
    number_of_replicas: index.number_of_replicas,
    ...shardCounts(summary),
  };
  if (level === 'indices') return body;
  const shards = index.shards.map((_, shard) => {
    const { status, activePrimaries, active, unassigned } = summarize(
      copies.filter((copy) => copy.shard === shard),
    );
    return [
      shard,
      {
        status,
        primary_active: activePrimaries === 1,
        active_shards: active,
        relocating_shards: 0,
        initializing_shards: 0,
        unassigned_shards: unassigned,
      },
    ];
  });
  return { ...body, shards: Object.fromEntries(shards) };
}
