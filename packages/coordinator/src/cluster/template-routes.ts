// Index templates: kept and shown for the clients that look for their own before they write, but not applied, and each answer says so.
import { type RouteSpec, route, WeirError } from '@weir/shared';
import type { Request, Response } from 'express';
import { QueryParameters } from '../http/query-parameters.ts';
import { type CollectBody, readJsonObject } from '../http/read-json-body.ts';

/** Templates by kind and name, for as long as this coordinator runs. */
const MAX_TEMPLATES = 1_000;
const WARNING =
  '299 Weir "index templates are kept by this coordinator until it stops and are not applied to new indices"';

type Templates = Map<string, Readonly<Record<string, unknown>>>;

export function templateRoutes(collectBody: CollectBody): readonly RouteSpec[] {
  const composable: Templates = new Map();
  const legacy: Templates = new Map();
  return [
    ...routesOf('/_index_template/:name', composable, collectBody, (name, template) => ({
      index_templates: [{ name, index_template: template }],
    })),
    ...routesOf('/_template/:name', legacy, collectBody, (name, template) => ({ [name]: template })),
  ];
}

function routesOf(
  path: string,
  templates: Templates,
  collectBody: CollectBody,
  body: (name: string, template: Readonly<Record<string, unknown>>) => unknown,
): readonly RouteSpec[] {
  return [
    route('GET', path, (request, response) => {
      const name = nameOf(request);
      const template = templates.get(name);
      if (template === undefined) throw missing(name);
      response.json(body(name, template));
    }),
    route(['PUT', 'POST'], path, async (request, response) => {
      const query = new QueryParameters(request);
      const create = query.flag('create', false);
      query.accept('order', 'cause', 'master_timeout', 'cluster_manager_timeout', 'include_type_name');
      query.end();
      await put(request, response, templates, create, collectBody);
    }),
    route('DELETE', path, (request, response) => {
      const name = nameOf(request);
      if (!templates.delete(name)) throw missing(name);
      response.json({ acknowledged: true });
    }),
  ];
}

async function put(
  request: Request,
  response: Response,
  templates: Templates,
  create: boolean,
  collectBody: CollectBody,
): Promise<void> {
  const name = String(request.params['name']);
  const template = await readJsonObject(request, collectBody);
  if (template === undefined) throw new WeirError('parse', 'request body is required');
  if (create && templates.has(name))
    throw new WeirError('illegal_argument', `index template [${name}] already exists`);
  if (!templates.has(name) && templates.size >= MAX_TEMPLATES)
    throw new WeirError('illegal_argument', `no more than ${MAX_TEMPLATES} index templates are kept`);
  templates.set(name, template);
  response.setHeader('Warning', WARNING);
  response.json({ acknowledged: true });
}

function nameOf(request: Request): string {
  const query = new QueryParameters(request);
  query.accept(
    'master_timeout',
    'cluster_manager_timeout',
    'local',
    'flat_settings',
    'include_type_name',
    'timeout',
  );
  query.end();
  return String(request.params['name']);
}

function missing(name: string): WeirError {
  return new WeirError('not_found', `index template matching [${name}] not found`);
}
