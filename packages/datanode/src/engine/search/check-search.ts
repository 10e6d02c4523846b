// Is this search one that a copy can answer? Checked whole before any thread is asked.
import { WeirError } from '@weir/shared/errors';
import type { ShardSearch } from '../engine.ts';
import { parseQuery } from './parse-query.ts';
import type { CopySearch } from './run-search.ts';
import { parseSort } from './sort-values.ts';

/** OpenSearch's index.max_result_window. */
const MAX_WINDOW = 10_000;

/** Throws an error in OpenSearch's words where it is not. */
export function checkSearch({ query, from, size, sort }: ShardSearch): CopySearch {
  const limit = from + size;
  if (limit > MAX_WINDOW)
    throw new WeirError(
      'illegal_argument',
      `Result window is too large, from + size must be less than or equal to: [${MAX_WINDOW}] but was [${limit}]. See the scroll api for a more efficient way to request large data sets. This limit can be set by changing the [index.max_result_window] index level setting.`,
    );
  return { query: parseQuery(query), keys: parseSort(sort), limit };
}
