// Routes that search and count.
import { type Clock, type IndexMetadata, type RouteSpec, route } from '@weir/shared';
import type { Request } from 'express';
import { indexOptions, resolveIndices } from '../cluster/resolve-indices.ts';
import { QueryParameters } from '../http/query-parameters.ts';
import { readJsonObject } from '../http/read-json-body.ts';
import type { ReadDependencies } from './read-dependencies.ts';
import { parseCountCall, parseSearchCall } from './search-request.ts';
import { countShards, searchShards, shardsOf } from './search-shards.ts';

export function searchRoutes(deps: ReadDependencies & { readonly clock: Clock }): readonly RouteSpec[] {
  const search = async (request: Request): Promise<unknown> => {
    const startMs = deps.clock.nowMs();
    const query = new QueryParameters(request);
    const indices = indicesOf(request, query, deps);
    const call = parseSearchCall(query, await readJsonObject(request, deps.collectBody));
    query.end();
    const refs = shardsOf(indices, call.routing, deps.shardOf);
    const answer = await searchShards(deps.reads, refs, call);
    return { took: Math.round(deps.clock.nowMs() - startMs), ...answer };
  };
  const count = async (request: Request): Promise<unknown> => {
    const query = new QueryParameters(request);
    const indices = indicesOf(request, query, deps);
    const call = parseCountCall(query, await readJsonObject(request, deps.collectBody));
    query.end();
    return countShards(deps.reads, shardsOf(indices, call.routing, deps.shardOf), call.query);
  };
  return ['', '/:index'].flatMap((prefix) => [
    route(['GET', 'POST'], `${prefix}/_search`, async (request, response) => {
      response.json(await search(request));
    }),
    route(['GET', 'POST'], `${prefix}/_count`, async (request, response) => {
      response.json(await count(request));
    }),
  ]);
}

function indicesOf(
  request: Request,
  query: QueryParameters,
  deps: ReadDependencies,
): readonly IndexMetadata[] {
  const expression = request.params['index'];
  return resolveIndices(
    deps.topology,
    typeof expression === 'string' ? expression : '_all',
    indexOptions(query),
  );
}
