// Routes that read documents by id: one, its source alone, or many at once.
import {
  type IndexMetadata,
  type RouteSpec,
  route,
  type SourceFilter,
  WeirError,
  WHOLE_SOURCE,
} from '@weir/shared';
import type { Request, Response } from 'express';
import { indexNotFound } from '../cluster/resolve-indices.ts';
import { QueryParameters } from '../http/query-parameters.ts';
import { RawJson } from '../http/raw-json.ts';
import { readJsonObject } from '../http/read-json-body.ts';
import { documentBody, type FoundDocument } from './document-body.ts';
import { multiGet } from './multi-get.ts';
import type { ReadDependencies } from './read-dependencies.ts';
import { applySourceFilter, sourceFilterFrom } from './source-filter.ts';

export function documentReadRoutes(deps: ReadDependencies): readonly RouteSpec[] {
  return [
    route('GET', '/:index/_doc/:id', (request, response) => getDocument(request, response, deps)),
    route('GET', '/:index/_source/:id', (request, response) => getSource(request, response, deps)),
    route(['GET', 'POST'], '/_mget', (request, response) => getMany(request, response, deps)),
    route(['GET', 'POST'], '/:index/_mget', (request, response) => getMany(request, response, deps)),
  ];
}

async function getDocument(request: Request, response: Response, deps: ReadDependencies): Promise<void> {
  const { index, id, document, source } = await find(request, deps);
  if (document === undefined) {
    response.status(404).json({ _index: index, _id: id, found: false });
    return;
  }
  response.json(documentBody(index, document, source));
}

async function getSource(request: Request, response: Response, deps: ReadDependencies): Promise<void> {
  const { index, id, document, source } = await find(request, deps);
  if (document === undefined) throw new WeirError('not_found', `Document not found [${index}]/[${id}]`);
  const shown = applySourceFilter(document.source, { ...source, wanted: true });
  if (shown instanceof RawJson) {
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.send(shown.text);
    return;
  }
  response.json(shown);
}

async function getMany(request: Request, response: Response, deps: ReadDependencies): Promise<void> {
  const query = readQuery(request);
  const source = sourceFilterFrom(query, WHOLE_SOURCE);
  const routing = query.text('routing');
  query.end();
  const body = await readJsonObject(request, deps.collectBody);
  const index = request.params['index'];
  const defaults = { index: typeof index === 'string' ? index : undefined, routing, source };
  response.json({ docs: await multiGet(body, defaults, deps) });
}

type Asked = {
  readonly index: string;
  readonly id: string;
  readonly document: FoundDocument | undefined;
  readonly source: SourceFilter;
};

async function find(request: Request, deps: ReadDependencies): Promise<Asked> {
  const query = readQuery(request);
  const routing = query.text('routing');
  const source = sourceFilterFrom(query, WHOLE_SOURCE);
  query.end();
  const name = String(request.params['index']);
  const id = String(request.params['id']);
  const index = existing(deps, name);
  const ref = { index, shard: deps.shardOf(index, id, routing) };
  const [document] = await deps.reads.documents(ref, [id]);
  return { index: name, id, document: document ?? undefined, source };
}

/** Reads by id see every acknowledged write on any copy, so what asks for that changes nothing. */
function readQuery(request: Request): QueryParameters {
  const query = new QueryParameters(request);
  query.accept('preference', 'realtime', 'refresh');
  return query;
}

function existing(deps: ReadDependencies, name: string): IndexMetadata {
  const index = deps.topology.index(name);
  if (index === undefined) throw indexNotFound(name);
  return index;
}
