// The `_cat` endpoints: the cluster as tables for people.
import { type RouteSpec, route, WeirError } from '@weir/shared';
import type { Request, Response } from 'express';
import { QueryParameters } from '../http/query-parameters.ts';
import { BYTES_UNITS, type CatOptions, catHelp, catJson, catText } from './cat-table.ts';
import { CAT_TABLES, type CatSources, type CatTable } from './cat-tables.ts';

export function catRoutes(sources: CatSources): readonly RouteSpec[] {
  const names = Object.keys(CAT_TABLES);
  return [
    route('GET', '/_cat', (request, response) => {
      new QueryParameters(request).end();
      response.type('text/plain').send(`=^.^=\n${names.map((name) => `/_cat/${name}\n`).join('')}`);
    }),
    ...Object.entries(CAT_TABLES).flatMap(([name, table]) =>
      [`/_cat/${name}`, ...(table.byIndex ? [`/_cat/${name}/:index`] : [])].map((path) =>
        route('GET', path, (request, response) => answer(request, response, table, sources)),
      ),
    ),
  ];
}

async function answer(
  request: Request,
  response: Response,
  table: CatTable,
  sources: CatSources,
): Promise<void> {
  const query = new QueryParameters(request);
  query.accept('local', 'master_timeout', 'cluster_manager_timeout', 'expand_wildcards', 'full_id', 'pri');
  query.accept('ts', 'time', 'include_unloaded_segments');
  const options = optionsOf(query);
  const wantsHelp = query.flag('help', false);
  const format = query.oneOf('format', acceptedFormat(request), ['text', 'json'] as const);
  query.end();
  if (wantsHelp) {
    response.type('text/plain').send(catHelp(table.columns));
    return;
  }
  const expression = request.params['index'];
  const rows = await table.rows(sources, typeof expression === 'string' ? expression : '_all');
  if (format === 'json') {
    response.json(catJson(table.columns, rows, options));
    return;
  }
  // Before the type is set: what it throws is answered in JSON.
  const text = catText(table.columns, rows, options);
  response.type('text/plain').send(text);
}

function optionsOf(query: QueryParameters): CatOptions {
  const bytesUnit = query.text('bytes');
  if (bytesUnit !== undefined && !BYTES_UNITS.includes(bytesUnit))
    throw new WeirError(
      'illegal_argument',
      `Failed to parse value [${bytesUnit}] of parameter [bytes], allowed: [${BYTES_UNITS.join(', ')}]`,
    );
  return {
    headings: query.flag('v', false),
    columns: query.list('h'),
    sort: query.list('s'),
    bytesUnit,
  };
}

function acceptedFormat(request: Request): 'text' | 'json' {
  const accept = request.headers.accept ?? '';
  return /\bapplication\/(?:vnd\.(?:elasticsearch|opensearch)\+)?json\b/i.test(accept) ? 'json' : 'text';
}
