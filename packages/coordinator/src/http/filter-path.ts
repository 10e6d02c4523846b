// Cuts an answer down to what `filter_path` names: dots between keys, `*` for part of a key, `**` for any depth, `-` to leave out.
import { wildcardMatches } from '@weir/shared';

/** One part of a path and the parts behind it. Paths are followed by identity: what is reached in two ways is looked at once. */
type Path = { readonly part: string; readonly rest: Path | undefined };

/** The answer with only the named paths; `{}` where none of them exists. */
export function filterPaths(body: unknown, expression: string): unknown {
  const paths = expression.split(',').filter((path) => path !== '');
  const included = pathsOf(paths.filter((path) => !path.startsWith('-')));
  const excluded = pathsOf(paths.filter((path) => path.startsWith('-')).map((path) => path.slice(1)));
  const kept = included.size === 0 ? body : include(body, included);
  return (excluded.size === 0 ? kept : exclude(kept, excluded)) ?? {};
}

function pathsOf(expressions: readonly string[]): ReadonlySet<Path> {
  const paths = new Set<Path>();
  for (const expression of expressions) {
    let path: Path | undefined;
    // Any depth below any depth is any depth.
    for (const part of expression.split('.').reverse())
      if (part !== '**' || path?.part !== '**') path = { part, rest: path };
    if (path !== undefined) paths.add(path);
  }
  return paths;
}

function include(value: unknown, paths: ReadonlySet<Path>): unknown {
  if (Array.isArray(value)) {
    const kept = value.map((item) => include(item, paths)).filter((item) => item !== undefined);
    return kept.length === 0 ? undefined : kept;
  }
  if (!isObject(value) || paths.size === 0) return undefined;
  const kept: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(value)) {
    const rest = below(key, paths);
    const part = rest === 'all' ? inner : include(inner, rest);
    if (part !== undefined) kept.push([key, part]);
  }
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function exclude(value: unknown, paths: ReadonlySet<Path>): unknown {
  if (Array.isArray(value)) return value.map((item) => exclude(item, paths));
  if (!isObject(value) || paths.size === 0) return value;
  const kept: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(value)) {
    const rest = below(key, paths);
    if (rest !== 'all') kept.push([key, exclude(inner, rest)]);
  }
  return Object.fromEntries(kept);
}

/** What is left of the paths that lead through `key`; `all` where one of them ends there. */
function below(key: string, paths: ReadonlySet<Path>): ReadonlySet<Path> | 'all' {
  const left = new Set<Path>();
  for (const path of paths) {
    const anyDepth = path.part === '**';
    if (anyDepth) left.add(path);
    // `**` may stand for nothing: then the part behind it is this key's.
    const own = anyDepth ? path.rest : path;
    if (own !== undefined && !wildcardMatches(own.part, key)) continue;
    if (own?.rest === undefined) return 'all';
    left.add(own.rest);
  }
  return left;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
