// What the routes that describe the cluster are handed.
import type { Clock, Timers } from '@weir/shared';
import type { IsLive } from './shard-copies.ts';
import type { Topology } from './topology.ts';

/** This coordinator as it shows itself. */
type SelfFacts = {
  /** Random for each start. */
  readonly id: string;
  readonly name: string;
  /** Host and port that clients reach it by. */
  readonly publishAddress: () => string;
};

export type ClusterFacts = {
  readonly clusterName: string;
  readonly clusterUuid: string;
  readonly self: SelfFacts;
  readonly topology: Pick<Topology, 'index' | 'indices' | 'node' | 'nodes'>;
  readonly isLive: IsLive;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Also counts as an Elasticsearch for Elastic's own clients. */
  readonly elasticCompat: boolean;
};

/** Data nodes that are there. */
export function liveNodes(facts: Pick<ClusterFacts, 'topology' | 'isLive'>) {
  return facts.topology.nodes().filter((node) => facts.isLive(node.id));
}
