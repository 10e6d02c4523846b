// Which part of the resulting document does an update want back? `_source` of its body: a boolean, names, or includes and excludes.
import { type SourceFilter, WHOLE_SOURCE } from '@weir/shared/documents';
import { WeirError } from '@weir/shared/errors';

/** Reads the value of `_source`; throws a WeirError that names what is allowed. */
export function parseSourceFilter(value: unknown): SourceFilter {
  if (typeof value === 'boolean') return { ...WHOLE_SOURCE, wanted: value };
  if (typeof value === 'string' || Array.isArray(value))
    return { ...WHOLE_SOURCE, includes: patterns(value) };
  if (typeof value !== 'object' || value === null) throw unreadable(value);
  const { includes, excludes, ...rest } = value as Record<string, unknown>;
  if (Object.keys(rest).length > 0) throw unreadable(value);
  return { wanted: true, includes: patterns(includes ?? []), excludes: patterns(excludes ?? []) };
}

function patterns(value: unknown): readonly string[] {
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  return names.map((name) => {
    if (typeof name !== 'string') throw unreadable(value);
    return name;
  });
}

function unreadable(value: unknown): WeirError {
  return new WeirError(
    'x_content_parse',
    `[UpdateRequest] failed to parse field [_source]: got ${JSON.stringify(value).slice(0, 100)}, allowed: a boolean, a name, a list of names, or an object of [includes, excludes]`,
  );
}
