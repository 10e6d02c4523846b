// Which part of a document do includes and excludes name? OpenSearch's rules, for reads and for what updates give back.
import { wildcardMatches } from '../settings/wildcard.ts';
import { type ExactObject, parseExact, stringifyExact } from './exact-json.ts';

export type SourceFilter = {
  readonly wanted: boolean;
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
};

export const WHOLE_SOURCE: SourceFilter = { wanted: true, includes: [], excludes: [] };

type Fields = Readonly<Record<string, unknown>>;
type Names = { readonly includes: readonly string[]; readonly excludes: readonly string[] };

/**
 * The named part of a parsed document. A name stands for all below it, `*` for any characters, dots too; an exclude wins over an
 * include. A dot within a key counts as one between keys.
 */
export function filterSource(document: Fields, { includes, excludes }: SourceFilter): Fields {
  const names = { includes: withAllBelow(includes), excludes: withAllBelow(excludes) };
  return pickFields(document, names, '', includes.length === 0);
}

/** The same of a document's text: numbers stay as they are spelled. */
export function filterSourceText(json: string, filter: SourceFilter): string {
  // Marked numbers are strings, which a filter takes or leaves whole.
  return stringifyExact(filterSource(parseExact(json) as ExactObject, filter) as ExactObject);
}

function withAllBelow(patterns: readonly string[]): readonly string[] {
  return patterns.flatMap((pattern) => [pattern, `${pattern}.*`]);
}

/** `included`: a name above already took all of it, so that only excludes matter. */
function pickFields(fields: Fields, names: Names, prefix: string, included: boolean): Fields {
  const kept: [string, unknown][] = [];
  for (const [key, value] of Object.entries(fields)) {
    const path = `${prefix}${key}`;
    if (isNamed(path, names.excludes)) continue;
    const part = pickPart(value, names, path, included || isNamed(path, names.includes));
    if (part !== undefined) kept.push([key, part]);
  }
  return Object.fromEntries(kept);
}

function pickPart(value: unknown, names: Names, path: string, included: boolean): unknown {
  if (included && !names.excludes.some((pattern) => mayNameBelow(pattern, path))) return value;
  if (Array.isArray(value)) {
    const items = pickItems(value, names, path, included);
    return included || items.length > 0 ? items : undefined;
  }
  if (isObject(value)) {
    const fields = pickFields(value, names, `${path}.`, included);
    return included || !isEmpty(fields) ? fields : undefined;
  }
  return included ? value : undefined;
}

function pickItems(
  items: readonly unknown[],
  names: Names,
  path: string,
  included: boolean,
): readonly unknown[] {
  return items.map((item) => pickItem(item, names, path, included)).filter((item) => item !== undefined);
}

/** What is left empty of an object or a list within a list is left out. */
function pickItem(item: unknown, names: Names, path: string, included: boolean): unknown {
  if (Array.isArray(item)) {
    const items = pickItems(item, names, path, included);
    return items.length > 0 ? items : undefined;
  }
  if (isObject(item)) {
    const fields = pickFields(item, names, `${path}.`, included);
    return isEmpty(fields) ? undefined : fields;
  }
  return included ? item : undefined;
}

function isNamed(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => wildcardMatches(pattern, path));
}

/** Whether some path below this one fits the pattern. */
function mayNameBelow(pattern: string, path: string): boolean {
  const prefix = `${path}.`;
  const star = pattern.indexOf('*');
  if (star < 0) return pattern.startsWith(prefix);
  const literal = pattern.slice(0, star);
  return literal.startsWith(prefix) || prefix.startsWith(literal);
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function isEmpty(fields: Fields): boolean {
  return Object.keys(fields).length === 0;
}
