// Stores one document or tombstone at the primary: conflict, next version, next sequence number, row.
import type { ItemResult } from '@weir/shared';
import { WeirError } from '@weir/shared/errors';
import type { CopyRef } from '../engine.ts';
import type { DocumentRows, NewRow, StoredRow } from './document-rows.ts';
import { findConflict, versionAfter, type WriteCondition } from './find-conflict.ts';
import { CREATED, DELETED, NOT_FOUND, shardFailure, success, UPDATED } from './item-results.ts';

/** The copy that is written to. */
export type Target = { readonly copy: CopyRef; readonly rows: DocumentRows };

/** A result, with what an update stored or left as it was: its replicas cannot know that from the request. */
export type AppliedOperation = {
  readonly result: ItemResult;
  readonly stored?: { readonly source: Buffer; readonly routing: string | undefined };
};

type Content = Pick<NewRow, 'id' | 'routing' | 'source'>;

const EMPTY = Buffer.alloc(0);

/** Stores a document under the conditions asked for. */
export function writeDocument(content: Content, asked: WriteCondition, { copy, rows }: Target): ItemResult {
  // Most documents are new. Where nothing is asked for that could be in conflict with a missing document, the one look-up is the insert's own.
  if (asked.ifSeqNo === undefined && asked.version === undefined) {
    const row = nextRow(content, 1, false, rows);
    if (rows.insert(row)) return success(CREATED, row);
  }
  const stored = rows.find(content.id);
  const conflict = findConflict(asked, stored);
  if (conflict !== undefined) return versionConflict(copy, content.id, conflict);
  const row = nextRow(content, versionAfter(asked, stored), false, rows);
  put(rows, stored, row);
  return success(stored === undefined || stored.deleted ? CREATED : UPDATED, row);
}

/** A delete of what is not there is a write too: its tombstone keeps late writes of lower versions out, here and on replicas. */
export function writeTombstone(
  { id, routing }: Pick<Content, 'id' | 'routing'>,
  asked: WriteCondition,
  { copy, rows }: Target,
): ItemResult {
  const stored = rows.find(id);
  const conflict = findConflict(asked, stored);
  if (conflict !== undefined) return versionConflict(copy, id, conflict);
  const row = nextRow({ id, routing, source: EMPTY }, versionAfter(asked, stored), true, rows);
  put(rows, stored, row);
  return success(stored === undefined || stored.deleted ? NOT_FOUND : DELETED, row);
}

/** The item's failure for a conflict of versions. */
export function versionConflict(copy: CopyRef, id: string, explanation: string): ItemResult {
  return shardFailure(copy, 'version_conflict', `[${id}]: version conflict, ${explanation}`);
}

function nextRow(
  { id, routing, source }: Content,
  version: number,
  deleted: boolean,
  rows: DocumentRows,
): NewRow {
  const { maxSeqNo, primaryTerm } = rows.counters;
  return { id, routing, source, version, seqNo: maxSeqNo + 1, primaryTerm, deleted };
}

function put(rows: DocumentRows, stored: StoredRow | undefined, row: NewRow): void {
  if (stored !== undefined) rows.replace(stored, row);
  else if (!rows.insert(row)) throw new WeirError('internal', `[${row.id}] appeared inside a transaction`);
}
