// Routes of `_cluster/state`, whole or the parts and indices asked for.
import { type RouteSpec, route, WeirError } from '@weir/shared';
import type { Request, Response } from 'express';
import { QueryParameters } from '../http/query-parameters.ts';
import type { ClusterFacts } from './cluster-facts.ts';
import { clusterState, STATE_METRICS, type StateMetric } from './cluster-state.ts';
import { indexOptions, resolveIndices } from './resolve-indices.ts';

/** `version` rises with every change of the metadata. */
export function stateRoutes(facts: ClusterFacts, version: () => number): readonly RouteSpec[] {
  const state = (request: Request, response: Response): void => {
    const query = new QueryParameters(request);
    const options = indexOptions(query);
    query.accept('local', 'flat_settings', 'master_timeout', 'cluster_manager_timeout');
    query.end();
    const { metrics, index } = request.params;
    const indices = resolveIndices(facts.topology, typeof index === 'string' ? index : '_all', options);
    response.json(clusterState(facts, metricsOf(metrics), indices, version()));
  };
  return [
    route('GET', '/_cluster/state', state),
    route('GET', '/_cluster/state/:metrics', state),
    route('GET', '/_cluster/state/:metrics/:index', state),
  ];
}

function metricsOf(given: string | readonly string[] | undefined): ReadonlySet<StateMetric> {
  const names = typeof given === 'string' ? given.split(',') : ['_all'];
  if (names.includes('_all')) return new Set(STATE_METRICS);
  return new Set(
    names.map((name) => {
      const metric = STATE_METRICS.find((candidate) => candidate === name);
      if (metric !== undefined) return metric;
      throw new WeirError(
        'illegal_argument',
        `request [/_cluster/state] contains unrecognized metric: [${name}], allowed: [_all, ${STATE_METRICS.join(', ')}]`,
      );
    }),
  );
}
