// `_nodes`: who belongs to the cluster. Only this coordinator has an HTTP address here: clients that sniff must not go round it to data nodes.
import { type RouteSpec, route, WEIR_VERSION, WeirError } from '@weir/shared';
import type { Request, Response } from 'express';
import { type ClusterFacts, liveNodes } from '../cluster/cluster-facts.ts';
import { QueryParameters } from '../http/query-parameters.ts';
import { nodeSelector } from './select-nodes.ts';

/** Sections OpenSearch has; Weir fills `http` and answers the others without a section. */
const INFO_METRICS = new Set([
  '_all',
  'settings',
  'os',
  'process',
  'jvm',
  'thread_pool',
  'transport',
  'http',
  'plugins',
  'ingest',
  'aggregations',
  'indices',
  'search_pipelines',
]);

export function nodeInfoRoutes(facts: ClusterFacts): readonly RouteSpec[] {
  const answer = (request: Request, response: Response, nodes: string | undefined, metrics: string): void => {
    const query = new QueryParameters(request);
    query.accept('timeout', 'flat_settings');
    query.end();
    response.json(nodeInfo(facts, nodes, metricsOf(metrics)));
  };
  return [
    route('GET', '/_nodes', (request, response) => answer(request, response, undefined, '_all')),
    route('GET', '/_nodes/:nodes', (request, response) => {
      const given = String(request.params['nodes']);
      if (given.split(',').every((name) => INFO_METRICS.has(name)))
        answer(request, response, undefined, given);
      else answer(request, response, given, '_all');
    }),
    route('GET', '/_nodes/:nodes/:metrics', (request, response) =>
      answer(request, response, String(request.params['nodes']), String(request.params['metrics'])),
    ),
  ];
}

function metricsOf(given: string): ReadonlySet<string> {
  const names = given.split(',');
  const unknown = names.find((name) => !INFO_METRICS.has(name));
  if (unknown === undefined) return new Set(names);
  throw new WeirError(
    'illegal_argument',
    `request [/_nodes/${given}] contains unrecognized metric: [${unknown}]`,
  );
}

function nodeInfo(
  facts: ClusterFacts,
  expression: string | undefined,
  metrics: ReadonlySet<string>,
): unknown {
  const isSelected = nodeSelector(expression);
  const { id, name, publishAddress } = facts.self;
  const nodes: Record<string, unknown> = {};
  if (isSelected({ id, name, isSelf: true })) nodes[id] = selfInfo(name, publishAddress(), metrics);
  // Whoever asks for addresses is told of this one alone.
  const others = metrics.has('http') ? [] : liveNodes(facts);
  for (const node of others.filter((other) => isSelected({ ...other, isSelf: false })))
    nodes[node.id] = { name: node.name, version: WEIR_VERSION, roles: ['data'] };
  const total = Object.keys(nodes).length;
  return { _nodes: { total, successful: total, failed: 0 }, cluster_name: facts.clusterName, nodes };
}

function selfInfo(name: string, address: string, metrics: ReadonlySet<string>): unknown {
  const http = { bound_address: [address], publish_address: address };
  return {
    name,
    host: address.replace(/:\d+$/, ''),
    ip: address.replace(/:\d+$/, ''),
    version: WEIR_VERSION,
    roles: [],
    ...(metrics.has('http') || metrics.has('_all') ? { http } : {}),
  };
}
