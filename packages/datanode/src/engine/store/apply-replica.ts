// Applies at a replica what the primary decided, in whatever order it comes: per id the highest sequence number stays.
import type { ReplicaOperation } from '@weir/shared';
import type { DocumentRows, StoredRow } from './document-rows.ts';

/** Applies one operation inside the caller's transaction, or leaves it out when this copy already has a newer one of its id. */
export function applyReplicaOperation(operation: ReplicaOperation, rows: DocumentRows): void {
  const row = { ...operation, deleted: operation.kind === 'delete' };
  if (rows.insert(row)) return;
  const stored = rows.find(operation.id);
  if (stored !== undefined && isNewer(operation, stored)) rows.replace(stored, row);
  else rows.counters.maxSeqNo = Math.max(rows.counters.maxSeqNo, operation.seqNo);
}

/** One number given twice comes from two primaries: the newer one's counts. */
function isNewer(operation: ReplicaOperation, stored: StoredRow): boolean {
  if (operation.seqNo !== stored.seqNo) return operation.seqNo > stored.seqNo;
  return operation.primaryTerm > stored.primaryTerm;
}
