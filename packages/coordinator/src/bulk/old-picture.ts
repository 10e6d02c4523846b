// Does an answer show that this coordinator's picture of where indices and primaries are is old?
import type { OperationResult } from '@weir/shared';

/** What an engine says of an index or a primary that is not where it was sent. */
const MOVED: ReadonlySet<string> = new Set([
  'index_not_found_exception',
  'no_shard_available_action_exception',
  'shard_not_found_exception',
  'unavailable_shards_exception',
]);
const MOVED_IN_TEXT = new RegExp(`"type":"(?:${[...MOVED].join('|')})"`);

/** Items without such an error cost a look at their status. */
export function showOldPicture(results: readonly OperationResult[]): boolean {
  return results.some((result) => {
    if (result.ok || (result.status !== 404 && result.status !== 503)) return false;
    return 'error' in result ? MOVED.has(result.error.type) : MOVED_IN_TEXT.test(result.body);
  });
}
