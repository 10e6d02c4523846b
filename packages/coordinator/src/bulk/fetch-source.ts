// Which parts of a document does `_source` in an action line ask for?
import { type SourceFilter, WeirError } from '@weir/shared';
import { sourceFilterOf } from '../documents/source-filter.ts';
import { duplicateKey } from './duplicate-key.ts';
import { type LineCursor, shown } from './line-cursor.ts';

/** `true`, `false`, a path, a list of paths, or `{"includes":[…],"excludes":[…]}`; undefined for null. */
export function readFetchSource(cursor: LineCursor): SourceFilter | undefined {
  const token = cursor.peek();
  const value = token === 'START_OBJECT' || token === 'START_ARRAY' ? nested(cursor) : simple(cursor);
  if (value === undefined) return undefined;
  try {
    return sourceFilterOf(value);
  } catch (thrown) {
    if (thrown instanceof WeirError) return cursor.fail(thrown.message);
    throw thrown;
  }
}

function simple(cursor: LineCursor): boolean | string | undefined {
  const text = cursor.simpleValue('_source');
  return text === 'true' || text === 'false' ? text === 'true' : text;
}

function nested(cursor: LineCursor): unknown {
  const text = cursor.nestedText();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return cursor.fail('field [_source] is not valid JSON');
  }
  const twice = duplicateKey(text);
  return twice === undefined ? value : cursor.fail(`duplicate key [${shown(twice)}]`);
}
