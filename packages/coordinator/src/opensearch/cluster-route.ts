// What does this coordinator know of the cluster behind it, and which of its nodes have an agent? `GET /_weir/cluster`.
import { type RouteSpec, route } from '@weir/shared';
import { QueryParameters } from '../http/query-parameters.ts';
import type { OpenSearchTopology } from './opensearch-topology.ts';

export function clusterRoute(topology: OpenSearchTopology): RouteSpec {
  return route('GET', '/_weir/cluster', (request, response) => {
    new QueryParameters(request).end();
    const { ageMs, version, problem } = topology.status();
    const nodes = topology.nodes().map(({ id, name, address }) => ({
      ...{ id, name, http_address: topology.httpAddress(id) ?? null },
      agent: address === '' ? null : address,
    }));
    response.json({
      cluster_name: topology.clusterName() ?? null,
      state_version: version ?? null,
      age_ms: ageMs === undefined ? null : Math.round(ageMs),
      problem: problem ?? null,
      indices: topology.indices().length,
      nodes,
    });
  });
}
