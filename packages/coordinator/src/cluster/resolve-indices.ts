// Which indices does an expression such as `logs-a,logs-2*,-logs-25` name?
import { type IndexMetadata, WeirError, wildcardMatches } from '@weir/shared';
import type { QueryParameters } from '../http/query-parameters.ts';
import type { Topology } from './topology.ts';

export type IndexOptions = {
  /** Leave out names that do not exist instead of answering 404. */
  readonly ignoreUnavailable: boolean;
  /** Accept wildcards that match nothing. */
  readonly allowNoIndices: boolean;
};

export const LENIENT: IndexOptions = { ignoreUnavailable: true, allowNoIndices: true };

/** The two options from the query string; every index is open here, so `expand_wildcards` changes nothing but `none`. */
export function indexOptions(query: QueryParameters): IndexOptions {
  query.accept('expand_wildcards', 'ignore_throttled');
  return {
    ignoreUnavailable: query.flag('ignore_unavailable', false),
    allowNoIndices: query.flag('allow_no_indices', true),
  };
}

/** The indices an expression names, in order of the expression, each once; throws `index_not_found` for the first name that is missing. */
export function resolveIndices(
  topology: Pick<Topology, 'index' | 'indices'>,
  expression: string,
  options: IndexOptions,
): readonly IndexMetadata[] {
  const found = new Map<string, IndexMetadata>();
  for (const part of expression.split(',').filter((text) => text !== '')) {
    if (part.startsWith('-') && found.size > 0) leaveOut(found, part.slice(1));
    else for (const index of named(topology, part, options)) found.set(index.name, index);
  }
  if (found.size === 0 && !options.allowNoIndices) throw indexNotFound(expression);
  return [...found.values()];
}

function leaveOut(found: Map<string, IndexMetadata>, pattern: string): void {
  for (const name of [...found.keys()]) if (wildcardMatches(pattern, name)) found.delete(name);
}

function named(
  topology: Pick<Topology, 'index' | 'indices'>,
  part: string,
  options: IndexOptions,
): readonly IndexMetadata[] {
  if (isPattern(part)) return matching(topology, part, options);
  const index = topology.index(part);
  if (index !== undefined) return [index];
  if (options.ignoreUnavailable) return [];
  throw indexNotFound(part);
}

/** Whether an expression names more than one concrete index. */
export function isPattern(part: string): boolean {
  return part === '_all' || part.includes('*');
}

function matching(
  topology: Pick<Topology, 'indices'>,
  pattern: string,
  options: IndexOptions,
): readonly IndexMetadata[] {
  const wanted = pattern === '_all' ? '*' : pattern;
  const found = topology
    .indices()
    .filter((index) => wildcardMatches(wanted, index.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  if (found.length === 0 && !options.allowNoIndices) throw indexNotFound(pattern);
  return found;
}

/** OpenSearch's 404 for an index. */
export function indexNotFound(name: string): WeirError {
  return new WeirError('index_not_found', `no such index [${name}]`, {
    fields: { 'resource.type': 'index_or_alias', 'resource.id': name, index: name, index_uuid: '_na_' },
  });
}
