// Cuts an answer down to what `filter_path` names: dots between keys, `*` for part of a key, `**` for any depth, `-` to leave out.

type Path = readonly string[];

/** The answer with only the named paths; `{}` where none of them exists. */
export function filterPaths(body: unknown, expression: string): unknown {
  const paths = expression.split(',').filter((path) => path !== '');
  const included = pathsOf(paths.filter((path) => !path.startsWith('-')));
  const excluded = pathsOf(paths.filter((path) => path.startsWith('-')).map((path) => path.slice(1)));
  const kept = included.length === 0 ? body : include(body, included);
  return (excluded.length === 0 ? kept : exclude(kept, excluded)) ?? {};
}

function pathsOf(expressions: readonly string[]): readonly Path[] {
  return expressions.map((expression) => expression.split('.'));
}

function include(value: unknown, paths: readonly Path[]): unknown {
  if (Array.isArray(value)) {
    const kept = value.map((item) => include(item, paths)).filter((item) => item !== undefined);
    return kept.length === 0 ? undefined : kept;
  }
  if (!isObject(value)) return undefined;
  const kept: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(value)) {
    const rest = below(key, paths);
    const whole = rest.some((path) => path.length === 0);
    const part = whole ? inner : include(inner, rest);
    if (part !== undefined) kept.push([key, part]);
  }
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function exclude(value: unknown, paths: readonly Path[]): unknown {
  if (Array.isArray(value)) return value.map((item) => exclude(item, paths));
  if (!isObject(value)) return value;
  const kept: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(value)) {
    const rest = below(key, paths);
    if (!rest.some((path) => path.length === 0)) kept.push([key, exclude(inner, rest)]);
  }
  return Object.fromEntries(kept);
}

/** What is left of the paths that lead through `key`; an empty one ends here. */
function below(key: string, paths: readonly Path[]): readonly Path[] {
  return paths.flatMap((path): readonly Path[] => {
    const [head = '', ...rest] = path;
    if (head !== '**') return matches(head, key) ? [rest] : [];
    return [path, ...below(key, [rest])];
  });
}

/** Whether a key fits a pattern with `*`; no regular expression, so that no pattern is slow. */
export function matches(pattern: string, key: string): boolean {
  const parts = pattern.split('*');
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return pattern === key;
  if (!key.startsWith(first) || !key.endsWith(last) || key.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = key.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= key.length - last.length;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
