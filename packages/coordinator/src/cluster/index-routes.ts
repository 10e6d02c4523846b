// Routes that make, show, change and remove indices.
import { checkIndexName, type IndexMetadata, type RouteSpec, route, WeirError } from '@weir/shared';
import type { Request } from 'express';
import { QueryParameters } from '../http/query-parameters.ts';
import { type CollectBody, readJsonObject } from '../http/read-json-body.ts';
import type { IndexAdmin } from './index-admin.ts';
import { indexSettingsBody } from './index-body.ts';
import { indexOptions, isPattern, resolveIndices } from './resolve-indices.ts';
import type { Topology } from './topology.ts';

export type IndexDependencies = {
  readonly topology: Pick<Topology, 'index' | 'indices'>;
  readonly admin: IndexAdmin;
  readonly collectBody: CollectBody;
};

export function indexRoutes(deps: IndexDependencies): readonly RouteSpec[] {
  const show = (path: string, body: (index: IndexMetadata, flat: boolean) => unknown): RouteSpec =>
    route('GET', path, (request, response) => {
      const query = new QueryParameters(request);
      const flat = query.flag('flat_settings', false);
      query.accept(
        'include_defaults',
        'include_type_name',
        'local',
        'master_timeout',
        'cluster_manager_timeout',
      );
      const indices = named(request, query, deps);
      response.json(Object.fromEntries(indices.map((index) => [index.name, body(index, flat)])));
    });
  const settings = (index: IndexMetadata, flat: boolean) => ({ settings: indexSettingsBody(index, flat) });
  const mappings = (index: IndexMetadata) => ({ mappings: index.mappings });
  return [
    show('/_mapping', mappings),
    show('/_settings', settings),
    show('/:index/_settings', settings),
    show('/:index/_mapping', mappings),
    route(['PUT', 'POST'], '/:index/_mapping', async (request, response) => {
      response.json(await putMapping(request, deps));
    }),
    route('PUT', '/:index', async (request, response) => {
      response.json(await create(request, deps));
    }),
    route('DELETE', '/:index', async (request, response) => {
      response.json(await remove(request, deps));
    }),
    show('/:index', (index, flat) => ({ aliases: {}, ...mappings(index), ...settings(index, flat) })),
  ];
}

/** The indices of the path; a concrete name that no index can have is told so. */
function named(request: Request, query: QueryParameters, deps: IndexDependencies): readonly IndexMetadata[] {
  const options = indexOptions(query);
  query.end();
  const expression = request.params['index'];
  if (typeof expression !== 'string') return resolveIndices(deps.topology, '_all', options);
  for (const part of expression.split(',')) if (!isPattern(part) && part !== '') checkReadable(part);
  return resolveIndices(deps.topology, expression, options);
}

function checkReadable(part: string): void {
  checkIndexName(part.startsWith('-') ? part.slice(1) : part);
}

async function create(request: Request, deps: IndexDependencies): Promise<unknown> {
  const query = new QueryParameters(request);
  query.accept('timeout', 'master_timeout', 'cluster_manager_timeout', 'include_type_name');
  query.accept('wait_for_active_shards');
  query.end();
  const name = String(request.params['index']);
  checkIndexName(name);
  const body = await readJsonObject(request, deps.collectBody);
  await deps.admin.createIndex(name, body);
  return { acknowledged: true, shards_acknowledged: true, index: name };
}

async function remove(request: Request, deps: IndexDependencies): Promise<unknown> {
  const query = new QueryParameters(request);
  query.accept('timeout', 'master_timeout', 'cluster_manager_timeout');
  for (const index of named(request, query, deps)) await deps.admin.deleteIndex(index.name);
  return { acknowledged: true };
}

async function putMapping(request: Request, deps: IndexDependencies): Promise<unknown> {
  const query = new QueryParameters(request);
  query.accept(
    'timeout',
    'master_timeout',
    'cluster_manager_timeout',
    'include_type_name',
    'write_index_only',
  );
  const indices = named(request, query, deps);
  const body = await readJsonObject(request, deps.collectBody);
  if (body === undefined)
    throw new WeirError('validation', 'Validation Failed: 1: mapping source is missing;');
  for (const { name, mappings } of indices) await deps.admin.putMappings(name, merged(mappings, body));
  return { acknowledged: true };
}

/** Given properties are added to those there are, as OpenSearch does. */
function merged(
  old: Readonly<Record<string, unknown>>,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const properties = { ...(old['properties'] ?? {}), ...(given['properties'] ?? {}) };
  const both = { ...old, ...given };
  return Object.keys(properties).length === 0 ? both : { ...both, properties };
}
