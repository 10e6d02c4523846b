// Who answers here? `GET /`, which clients ask first, and `HEAD /`, which is their ping.
import { type RouteSpec, route, WEIR_VERSION } from '@weir/shared';
import { QueryParameters } from '../http/query-parameters.ts';
import type { ClusterFacts } from './cluster-facts.ts';

/** The release of OpenSearch whose dialect is spoken; clients compare it with what they support. */
const OPENSEARCH_VERSION = '2.19.6';
/** Clients of Elastic's 7.14 and later want to see a 7.14 or later, and never an OpenSearch. */
const ELASTIC_VERSION = '7.17.0';

export function rootRoutes(facts: ClusterFacts): readonly RouteSpec[] {
  return [
    route('GET', '/', (request, response) => {
      new QueryParameters(request).end();
      response.json({
        name: facts.self.name,
        cluster_name: facts.clusterName,
        cluster_uuid: facts.clusterUuid,
        version: facts.elasticCompat ? elasticVersion : openSearchVersion,
        tagline: facts.elasticCompat
          ? 'You Know, for Search'
          : 'Weir: refuse early, before overload costs anything',
      });
    }),
    versionRoute,
  ];
}

/** What this process itself is. */
export const versionRoute: RouteSpec = route('GET', '/_weir/version', (request, response) => {
  new QueryParameters(request).end();
  response.json({ version: WEIR_VERSION, node_version: process.version, dialect: OPENSEARCH_VERSION });
});

const openSearchVersion = {
  distribution: 'opensearch',
  number: OPENSEARCH_VERSION,
  build_type: 'weir',
  build_snapshot: false,
  weir_version: WEIR_VERSION,
  minimum_wire_compatibility_version: '7.10.0',
  minimum_index_compatibility_version: '7.0.0',
};

const elasticVersion = {
  number: ELASTIC_VERSION,
  build_flavor: 'default',
  build_type: 'weir',
  build_snapshot: false,
  weir_version: WEIR_VERSION,
  minimum_wire_compatibility_version: '6.8.0',
  minimum_index_compatibility_version: '6.0.0-beta1',
};
