// What is wrong with one action, so that it alone fails and the others of its request go on?
import { checkIndexName, type ItemFailure } from '@weir/shared';
import type { Target } from '../cluster/topology.ts';
import type { BulkAction } from './bulk-action.ts';
import { failureItem, failureOf, missingIndex } from './failure-item.ts';

/** OpenSearch asks it of what may make an index, and lets deletes pass. */
export function requiresAlias({ kind, requireAlias }: BulkAction): boolean {
  return requireAlias && kind !== 'delete';
}

/** Whatever its index may be. */
export function failureOfAction({ id, routing }: BulkAction): ItemFailure | undefined {
  if (id === '') return failureItem('illegal_argument', 'if _id is specified it must not be empty');
  if (id?.isWellFormed() === false || routing?.isWellFormed() === false)
    return failureItem(
      'illegal_argument',
      '_id and routing must be valid Unicode, found half of a surrogate pair',
    );
  return undefined;
}

/** What the place it goes to does not have. Whatever goes on unsplit is judged there. */
export function failureOfTarget(action: BulkAction, target: Target): ItemFailure | undefined {
  const { index = '', kind, pipeline } = action;
  if (target.kind === 'unsplit') return failureOfDangerousName(index);
  if (requiresAlias(action) && !(target.kind === 'index' && target.throughAlias))
    return missingIndex(index, ` and [require_alias] request flag is [true] and [${index}] is not an alias`);
  const takesPipeline = kind === 'index' || kind === 'create';
  if (takesPipeline && pipeline !== undefined && pipeline !== '_none')
    return failureItem(
      'illegal_argument',
      `pipeline with id [${pipeline}] does not exist: pipelines are not supported`,
    );
  return undefined;
}

/** An index that is not there and is not made. */
export function failureOfMissing(index: string): ItemFailure {
  return failureOfName(index) ?? missingIndex(index);
}

/** A name that would harm an engine behind: it is not left to that to complain of it. */
function failureOfDangerousName(index: string): ItemFailure | undefined {
  return index.isWellFormed() && !/\p{Cc}/u.test(index) ? undefined : failureOfName(index);
}

function failureOfName(index: string): ItemFailure | undefined {
  try {
    checkIndexName(index);
    return undefined;
  } catch (thrown) {
    return failureOf(thrown);
  }
}
