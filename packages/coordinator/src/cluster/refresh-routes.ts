// `_refresh` makes every acknowledged write of the indices visible to search; `_flush` has nothing left to do, since each write is on disk.
import { type RouteSpec, route, toWeirError } from '@weir/shared';
import type { Request } from 'express';
import type { ReadShards } from '../documents/read-shards.ts';
import { QueryParameters } from '../http/query-parameters.ts';
import { indexOptions, resolveIndices } from './resolve-indices.ts';
import { copiesOf, type IsLive } from './shard-copies.ts';
import type { Topology } from './topology.ts';

type RefreshDependencies = {
  readonly topology: Pick<Topology, 'index' | 'indices'>;
  readonly isLive: IsLive;
  readonly reads: ReadShards;
};

export function refreshRoutes(deps: RefreshDependencies): readonly RouteSpec[] {
  const methods = ['GET', 'POST'] as const;
  return ['', '/:index'].flatMap((prefix) => [
    route(methods, `${prefix}/_refresh`, async (request, response) => {
      response.json({ _shards: await onCopies(request, deps, (ref, copy) => deps.reads.refresh(ref, copy)) });
    }),
    route(methods, `${prefix}/_flush`, async (request, response) => {
      response.json({ _shards: await onCopies(request, deps, () => Promise.resolve()) });
    }),
  ]);
}

type OnCopy = (...copy: Parameters<ReadShards['refresh']>) => Promise<unknown>;

/** Does something on every serving copy and counts, as OpenSearch does: unassigned copies are in the total and did not fail. */
async function onCopies(
  request: Request,
  { topology, isLive }: RefreshDependencies,
  run: OnCopy,
): Promise<Record<string, unknown>> {
  const query = new QueryParameters(request);
  const options = indexOptions(query);
  query.accept('force', 'wait_if_ongoing');
  query.end();
  const expression = request.params['index'];
  const indices = resolveIndices(topology, typeof expression === 'string' ? expression : '_all', options);
  const copies = indices.flatMap((index) => copiesOf(index, isLive));
  const failures: unknown[] = [];
  let successful = 0;
  await Promise.all(
    copies.map(async ({ index, shard, assigned }) => {
      if (assigned === undefined) return;
      try {
        await run({ index, shard }, assigned);
        successful += 1;
      } catch (thrown) {
        const { status, type, message } = toWeirError(thrown);
        failures.push({ shard, index: index.name, status, reason: { type, reason: message } });
      }
    }),
  );
  const header = { total: copies.length, successful, failed: failures.length };
  return failures.length === 0 ? header : { ...header, failures };
}
