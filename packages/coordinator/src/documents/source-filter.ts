// Which part of a document does a reader want? `_source`, `_source_includes` and `_source_excludes`, as text, list or object.
import { filterSourceText, type SourceFilter, WeirError, WHOLE_SOURCE } from '@weir/shared';
import { z } from 'zod';
import type { QueryParameters } from '../http/query-parameters.ts';
import { RawJson } from '../http/raw-json.ts';

const names = z.union([z.string().transform((name) => [name]), z.array(z.string())]);
const sourceSchema = z.union([
  z.boolean().transform((wanted): SourceFilter => ({ ...WHOLE_SOURCE, wanted })),
  names.transform((includes): SourceFilter => ({ ...WHOLE_SOURCE, includes })),
  z
    .strictObject({
      includes: names.optional(),
      include: names.optional(),
      excludes: names.optional(),
      exclude: names.optional(),
    })
    .transform(
      (given): SourceFilter => ({
        wanted: true,
        includes: given.includes ?? given.include ?? [],
        excludes: given.excludes ?? given.exclude ?? [],
      }),
    ),
]);

/** A filter from a request body's `_source`. */
export function sourceFilterOf(value: unknown): SourceFilter {
  if (value === undefined) return WHOLE_SOURCE;
  const filter = sourceSchema.safeParse(value);
  if (filter.success) return filter.data;
  throw new WeirError(
    'parsing',
    `Failed to parse [_source]: ${JSON.stringify(value).slice(0, 200)}, allowed: a boolean, a name, a list of names, or an object of [includes, excludes]`,
  );
}

/** A filter from the query string; `otherwise` counts only where the query string says nothing of the source. */
export function sourceFilterFrom(query: QueryParameters, otherwise: SourceFilter): SourceFilter {
  const source = query.text('_source');
  const includes = [...query.list('_source_includes'), ...query.list('_source_include')];
  const excludes = [...query.list('_source_excludes'), ...query.list('_source_exclude')];
  if (source === undefined && includes.length === 0 && excludes.length === 0) return otherwise;
  const named = source === undefined ? WHOLE_SOURCE : fromText(source);
  return { ...named, includes: includes.length > 0 ? includes : named.includes, excludes };
}

function fromText(source: string): SourceFilter {
  if (source === 'true' || source === '') return WHOLE_SOURCE;
  if (source === 'false') return { ...WHOLE_SOURCE, wanted: false };
  return { ...WHOLE_SOURCE, includes: source.split(',').filter((name) => name !== '') };
}

/** The wanted part of a stored document: its very bytes where all of it is wanted, undefined where none is. */
export function applySourceFilter(source: string, filter: SourceFilter): RawJson | undefined {
  if (!filter.wanted) return undefined;
  if (filter.includes.length === 0 && filter.excludes.length === 0) return new RawJson(source);
  return new RawJson(filterSourceText(source, filter));
}
