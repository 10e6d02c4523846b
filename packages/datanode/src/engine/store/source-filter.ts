// Which part of the resulting document does an update want back? `_source` of its body: a boolean, names, or includes and excludes.
import { WeirError } from '@weir/shared/errors';

export type SourceFilter = {
  readonly wanted: boolean;
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
};

export const WHOLE_SOURCE: SourceFilter = { wanted: true, includes: [], excludes: [] };

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

/** The wanted part of a document; a name stands for all below it, `*` for any characters. */
export function filterSource(document: unknown, filter: SourceFilter): unknown {
  return pick(document, filter, '', filter.includes.length === 0) ?? {};
}

function pick(value: unknown, filter: SourceFilter, path: string, included: boolean): unknown {
  if (Array.isArray(value)) {
    const items = value
      .map((item) => pick(item, filter, path, included))
      .filter((item) => item !== undefined);
    return included || items.length > 0 ? items : undefined;
  }
  if (typeof value !== 'object' || value === null) return included ? value : undefined;
  const entries = Object.entries(value).flatMap(([key, inner]) => {
    const kept = pickKey(inner, filter, path === '' ? key : `${path}.${key}`, included);
    return kept === undefined ? [] : [[key, kept] as const];
  });
  return included || entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

function pickKey(value: unknown, filter: SourceFilter, path: string, included: boolean): unknown {
  if (isNamed(path, filter.excludes)) return undefined;
  return pick(value, filter, path, included || isNamed(path, filter.includes));
}

function isNamed(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => matchesWildcard(path, pattern.split('*')));
}

/** Each part is looked for after the one before it, so that no pattern costs more than its length and the text's. */
function matchesWildcard(text: string, parts: readonly string[]): boolean {
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
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
