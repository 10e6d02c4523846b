// `_nodes/stats`: every data node is asked for its own part, and this coordinator adds its own.
import {
  type NodeIdentity,
  type NodeStatsMetric,
  type NodeStatsSections,
  nodeStatsBody,
  parseNodeStatsMetrics,
  type RouteSpec,
  route,
  toWeirError,
} from '@weir/shared';
import type { Request } from 'express';
import { z } from 'zod';
import { type DataNodeCalls, getFromDataNode } from '../cluster/call-data-node.ts';
import { type ClusterFacts, liveNodes } from '../cluster/cluster-facts.ts';
import type { TopologyNode } from '../cluster/topology.ts';
import { QueryParameters } from '../http/query-parameters.ts';
import { nodeSelector } from './select-nodes.ts';

export type NodeStatsDependencies = {
  readonly facts: ClusterFacts;
  readonly calls: DataNodeCalls;
  readonly identity: NodeIdentity;
  readonly sections: NodeStatsSections;
};

const localSchema = z.object({ nodes: z.record(z.string(), z.record(z.string(), z.unknown())) });

export function nodeStatsRoutes(deps: NodeStatsDependencies): readonly RouteSpec[] {
  const suffixes = ['', '/:metrics', '/:metrics/:index_metrics'];
  return ['/_nodes/stats', '/_nodes/:nodes/stats'].flatMap((prefix) =>
    suffixes.map((suffix) =>
      route('GET', `${prefix}${suffix}`, async (request, response) => {
        response.json(await nodesStats(request, deps));
      }),
    ),
  );
}

async function nodesStats(request: Request, deps: NodeStatsDependencies): Promise<unknown> {
  const query = new QueryParameters(request);
  query.accept('timeout', 'level', 'types', 'groups', 'fields', 'completion_fields', 'fielddata_fields');
  query.accept('include_segment_file_sizes');
  query.end();
  const { nodes: expression, metrics: given } = request.params;
  const metrics = parseNodeStatsMetrics(typeof given === 'string' ? given : undefined);
  const isSelected = nodeSelector(typeof expression === 'string' ? expression : undefined);
  const { facts, identity, sections } = deps;
  const nodes: Record<string, unknown> = {};
  if (isSelected({ ...facts.self, isSelf: true }))
    nodes[identity.id] = nodeStatsBody(identity, facts.clock.wallMs(), metrics, sections);
  const asked = liveNodes(facts).filter((node) => isSelected({ ...node, isSelf: false }));
  const failures: unknown[] = [];
  await Promise.all(
    asked.map(async (node) => {
      try {
        Object.assign(nodes, await localStats(node, metrics, deps.calls));
      } catch (thrown) {
        const { type, message } = toWeirError(thrown);
        failures.push({
          type: 'failed_node_exception',
          reason: `Failed node [${node.id}]`,
          node_id: node.id,
          caused_by: { type, reason: message },
        });
      }
    }),
  );
  const successful = Object.keys(nodes).length;
  const header = { total: successful + failures.length, successful, failed: failures.length };
  return {
    _nodes: failures.length === 0 ? header : { ...header, failures },
    cluster_name: facts.clusterName,
    nodes,
  };
}

async function localStats(
  node: TopologyNode,
  metrics: ReadonlySet<NodeStatsMetric>,
  calls: DataNodeCalls,
): Promise<Record<string, unknown>> {
  const path = `/_nodes/_local/stats/${[...metrics].join(',')}`;
  const { nodes } = await getFromDataNode(calls, node.address, path, localSchema);
  return nodes;
}
