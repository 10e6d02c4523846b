// `_stats` of indices: documents and bytes, of the primaries alone and of all copies.
import { type RouteSpec, route, WeirError } from '@weir/shared';
import type { Request } from 'express';
import type { ReadShards } from '../documents/read-shards.ts';
import { QueryParameters } from '../http/query-parameters.ts';
import { type MeasuredCopy, measureCopies, ofIndex, primariesOf, sumFigures } from './copy-figures.ts';
import { indexOptions, resolveIndices } from './resolve-indices.ts';
import type { IsLive } from './shard-copies.ts';
import type { Topology } from './topology.ts';

type IndexStatsDependencies = {
  readonly topology: Pick<Topology, 'index' | 'indices'>;
  readonly isLive: IsLive;
  readonly reads: ReadShards;
};

const SECTIONS = ['docs', 'store'] as const;

export function indexStatsRoutes(deps: IndexStatsDependencies): readonly RouteSpec[] {
  return ['', '/:index'].flatMap((prefix) =>
    ['/_stats', '/_stats/:metrics'].map((path) =>
      route('GET', `${prefix}${path}`, async (request, response) => {
        response.json(await indexStats(request, deps));
      }),
    ),
  );
}

async function indexStats(request: Request, deps: IndexStatsDependencies): Promise<unknown> {
  const query = new QueryParameters(request);
  const options = indexOptions(query);
  query.accept('level', 'forbid_closed_indices');
  query.end();
  const { index: expression, metrics } = request.params;
  const sections = sectionsOf(metrics);
  const indices = resolveIndices(
    deps.topology,
    typeof expression === 'string' ? expression : '_all',
    options,
  );
  const copies = await measureCopies(indices, deps.isLive, deps.reads);
  const answered = copies.filter(({ figures }) => figures !== undefined).length;
  const assigned = copies.filter(({ copy }) => copy.assigned !== undefined).length;
  const both = (some: readonly MeasuredCopy[]) => ({
    primaries: figuresBody(primariesOf(some), sections),
    total: figuresBody(some, sections),
  });
  return {
    _shards: { total: copies.length, successful: answered, failed: assigned - answered },
    _all: both(copies),
    indices: Object.fromEntries(
      indices.map((index) => [index.name, { uuid: index.uuid, ...both(ofIndex(copies, index)) }]),
    ),
  };
}

function sectionsOf(given: string | readonly string[] | undefined): ReadonlySet<string> {
  const names = typeof given === 'string' ? given.split(',') : ['_all'];
  if (names.includes('_all')) return new Set(SECTIONS);
  for (const name of names) {
    if (!SECTIONS.some((section) => section === name))
      throw new WeirError(
        'illegal_argument',
        `request [/_stats/${String(given)}] contains unrecognized metric: [${name}], supported: [_all, ${SECTIONS.join(', ')}]`,
      );
  }
  return new Set(names);
}

function figuresBody(copies: readonly MeasuredCopy[], sections: ReadonlySet<string>): unknown {
  const { docs, deleted, storeBytes } = sumFigures(copies);
  return {
    ...(sections.has('docs') ? { docs: { count: docs, deleted } } : {}),
    ...(sections.has('store') ? { store: { size_in_bytes: storeBytes } } : {}),
  };
}
