// Which parts of a document does `_source` in an action line ask for?
import type { FetchSource } from './bulk-action.ts';
import { duplicateKey } from './duplicate-key.ts';
import { type LineCursor, shown } from './line-cursor.ts';

/** `true`, `false`, one path, or `{"includes":[…],"excludes":[…]}`. */
export function readFetchSource(cursor: LineCursor): FetchSource | undefined {
  if (cursor.peek() === 'START_OBJECT') return sourceFilter(cursor);
  const text = cursor.simpleValue('_source');
  if (text === undefined) return undefined;
  if (text === 'true' || text === 'false') return text === 'true';
  return { includes: [text], excludes: [] };
}

function sourceFilter(cursor: LineCursor): FetchSource {
  const filter = parsedFilter(cursor, cursor.objectText());
  for (const key of Object.keys(filter)) {
    if (!/^(?:includes?|excludes?)$/.test(key))
      cursor.fail(`field [_source] has an unknown key [${shown(key)}]`);
  }
  return {
    includes: paths(cursor, filter['includes'] ?? filter['include']),
    excludes: paths(cursor, filter['excludes'] ?? filter['exclude']),
  };
}

function parsedFilter(cursor: LineCursor, text: string): Record<string, unknown> {
  let filter: Record<string, unknown>;
  try {
    filter = JSON.parse(text);
  } catch {
    return cursor.fail('field [_source] is not valid JSON');
  }
  const twice = duplicateKey(text);
  return twice === undefined ? filter : cursor.fail(`duplicate key [${shown(twice)}]`);
}

function paths(cursor: LineCursor, value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  const list = typeof value === 'string' ? [value] : value;
  if (Array.isArray(list) && list.every((path) => typeof path === 'string')) return list;
  return cursor.fail('field [_source] takes a path or a list of paths in [includes] and [excludes]');
}
