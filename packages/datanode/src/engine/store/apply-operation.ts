// What does one operation of a shard request make of one document at the primary?
import type { Operation } from '@weir/shared';
import { applyUpdate } from './apply-update.ts';
import { documentFault } from './check-document.ts';
import { documentFailure, requestFailure } from './item-results.ts';
import { type AppliedOperation, type Target, writeDocument, writeTombstone } from './write-document.ts';

/** Applies one operation inside the caller's transaction. Returns the item's failure; throws only when storage fails. */
export function applyOperation(operation: Operation, target: Target): AppliedOperation {
  const { id, version } = operation;
  if (version !== undefined && !isStorable(version))
    return { result: requestFailure('illegal_argument', illegalVersion(id, version)) };
  if (operation.kind === 'update') return applyUpdate(operation, target);
  if (operation.kind === 'delete') return { result: writeTombstone(operation, operation, target) };
  const fault = documentFault(operation.source);
  if (fault !== undefined) return { result: documentFailure(fault) };
  return { result: writeDocument(operation, operation, target) };
}

/** SQLite keeps 64 bits, JavaScript counts exactly to 2^53 - 1. */
function isStorable(version: number): boolean {
  return Number.isSafeInteger(version) && version >= 0;
}

function illegalVersion(id: string, version: number): string {
  return `[${id}]: illegal version value [${version}], allowed: 0 to ${Number.MAX_SAFE_INTEGER}`;
}
