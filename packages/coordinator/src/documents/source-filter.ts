// Which part of a document does a reader want? `_source`, `_source_includes` and `_source_excludes`, as text, list or object.
import { WeirError } from '@weir/shared';
import { z } from 'zod';
import { matches } from '../http/filter-path.ts';
import type { QueryParameters } from '../http/query-parameters.ts';
import { RawJson } from '../http/raw-json.ts';

export type SourceFilter = {
  readonly wanted: boolean;
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
};

export const WHOLE_SOURCE: SourceFilter = { wanted: true, includes: [], excludes: [] };

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

/** A filter from the query string; what it does not say is taken from `otherwise`. */
export function sourceFilterFrom(query: QueryParameters, otherwise: SourceFilter): SourceFilter {
  const source = query.text('_source');
  const includes = [...query.list('_source_includes'), ...query.list('_source_include')];
  const excludes = [...query.list('_source_excludes'), ...query.list('_source_exclude')];
  const base = source === undefined ? otherwise : fromText(source);
  if (includes.length === 0 && excludes.length === 0) return base;
  return {
    wanted: true,
    includes: [...base.includes, ...includes],
    excludes: [...base.excludes, ...excludes],
  };
}

function fromText(source: string): SourceFilter {
  if (source === 'true' || source === '') return WHOLE_SOURCE;
  if (source === 'false') return { ...WHOLE_SOURCE, wanted: false };
  return { ...WHOLE_SOURCE, includes: source.split(',').filter((name) => name !== '') };
}

/** The wanted part of a stored document: its very bytes where all of it is wanted, undefined where none is. */
export function applySourceFilter(source: string, filter: SourceFilter): unknown {
  if (!filter.wanted) return undefined;
  if (filter.includes.length === 0 && filter.excludes.length === 0) return new RawJson(source);
  return pick(JSON.parse(source), filter, '') ?? {};
}

function pick(value: unknown, filter: SourceFilter, prefix: string): unknown {
  if (Array.isArray(value)) {
    const kept = value.map((item) => pick(item, filter, prefix)).filter((item) => item !== undefined);
    return kept.length === 0 ? undefined : kept;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const kept = Object.entries(value).flatMap(([key, inner]) => {
    const part = pickField(inner, filter, `${prefix}${key}`);
    return part === undefined ? [] : [[key, part] as const];
  });
  return kept.length === 0 && prefix !== '' ? undefined : Object.fromEntries(kept);
}

/** A field that is named is kept whole but for what is excluded below it. */
function pickField(value: unknown, filter: SourceFilter, path: string): unknown {
  if (filter.excludes.some((pattern) => matches(pattern, path))) return undefined;
  const named = filter.includes.length === 0 || filter.includes.some((pattern) => matches(pattern, path));
  if (!named) return pick(value, filter, `${path}.`);
  if (filter.excludes.length === 0 || typeof value !== 'object' || value === null) return value;
  return pick(value, { ...filter, includes: [] }, `${path}.`) ?? (Array.isArray(value) ? [] : {});
}
