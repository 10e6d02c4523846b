// Every route of a coordinator but bulks, document writes and settings: reads, indices, the cluster, and what operators look at.
import { type NodeStatsSections, type RouteSpec, shardOf } from '@weir/shared';
import type { DataNodeCalls } from './cluster/call-data-node.ts';
import { catRoutes } from './cluster/cat-routes.ts';
import type { ClusterFacts } from './cluster/cluster-facts.ts';
import { healthRoutes } from './cluster/health-routes.ts';
import type { IndexAdmin } from './cluster/index-admin.ts';
import { indexRoutes } from './cluster/index-routes.ts';
import { indexStatsRoutes } from './cluster/index-stats-routes.ts';
import { refreshRoutes } from './cluster/refresh-routes.ts';
import { rootRoutes } from './cluster/root-routes.ts';
import { stateRoutes } from './cluster/state-routes.ts';
import { templateRoutes } from './cluster/template-routes.ts';
import { documentReadRoutes } from './documents/read-routes.ts';
import type { ReadShards } from './documents/read-shards.ts';
import { searchRoutes } from './documents/search-routes.ts';
import type { CollectBody } from './http/read-json-body.ts';
import { nodeInfoRoutes } from './stats/node-info-routes.ts';
import { nodeStatsRoutes } from './stats/node-stats-routes.ts';
import { type OperatorDependencies, operatorRoutes } from './stats/operator-routes.ts';

export type SurfaceParts = {
  readonly facts: ClusterFacts;
  readonly admin: IndexAdmin;
  readonly reads: ReadShards;
  readonly calls: DataNodeCalls;
  readonly collectBody: CollectBody;
  readonly operator: OperatorDependencies;
  /** This coordinator's own part of `_nodes/stats`. */
  readonly sections: NodeStatsSections;
  /** Rises with every change of the metadata. */
  readonly stateVersion: () => number;
};

/** None of these passes admission. */
export function readSurface(parts: SurfaceParts): readonly RouteSpec[] {
  const { facts, admin, reads, calls, collectBody, operator, sections, stateVersion } = parts;
  const { topology, isLive, clock } = facts;
  const identity = { id: facts.self.id, name: facts.self.name, roles: [] };
  return [
    ...rootRoutes(facts),
    ...operatorRoutes(operator),
    ...healthRoutes(facts),
    ...stateRoutes(facts, stateVersion),
    ...nodeStatsRoutes({ facts, calls, identity, sections }),
    ...nodeInfoRoutes(facts),
    ...catRoutes({ facts, reads, view: operator.view }),
    ...templateRoutes(collectBody),
    ...documentReadRoutes({ topology, reads, shardOf, collectBody }),
    ...searchRoutes({ topology, reads, shardOf, collectBody, clock }),
    ...refreshRoutes({ topology, isLive, reads }),
    ...indexStatsRoutes({ topology, isLive, reads }),
    ...indexRoutes({ topology, admin, collectBody }),
  ];
}
