// What does an update make of a document: merge, upsert, nothing to change, or nothing there?
import type { ItemResult, ItemSuccess, Operation } from '@weir/shared';
import {
  type ExactObject,
  filterSource,
  parseExact,
  stringifyExact,
  WHOLE_SOURCE,
} from '@weir/shared/documents';
import { WeirError } from '@weir/shared/errors';
import { findConflict, type WriteCondition } from './find-conflict.ts';
import { NOOP, requestFailure, shardFailure, success } from './item-results.ts';
import { isObject, mergeInto } from './merge-document.ts';
import { parseUpdate, type UpdateBody } from './parse-update.ts';
import { type AppliedOperation, type Target, versionConflict, writeDocument } from './write-document.ts';

/** Adds the resulting source to a success where the client asked for it. */
type ShowSource = (result: ItemSuccess) => ItemSuccess;

/** Applies an update inside the caller's transaction. Nothing else writes between its read and its write, so it is never tried again. */
export function applyUpdate(operation: Operation, target: Target): AppliedOperation {
  try {
    return update(operation, parseUpdate(operation.source), target);
  } catch (thrown) {
    // V8 gives up after some thousand levels when it merges or writes a document: such a one can be indexed and read, not changed in part.
    if (thrown instanceof RangeError)
      return { result: requestFailure('illegal_argument', `[${operation.id}]: nested too deeply to update`) };
    if (thrown instanceof WeirError) return { result: requestFailure(thrown.code, thrown.message) };
    throw thrown;
  }
}

function update(operation: Operation, body: UpdateBody, target: Target): AppliedOperation {
  const { id } = operation;
  const stored = target.rows.find(id);
  const asked = conditionOf(operation, body);
  if (stored === undefined || stored.deleted) {
    if (body.upsert !== undefined) return write(operation, asked, body, body.upsert, target, undefined);
    return { result: shardFailure(target.copy, 'document_missing', `[${id}]: document missing`) };
  }
  const conflict = findConflict(asked, stored);
  if (conflict !== undefined) return { result: versionConflict(target.copy, id, conflict) };
  const source = target.rows.sourceOf(stored);
  const document = readObject(source);
  const changed = mergeInto(document, body.doc ?? {});
  if (changed || !body.detectNoop) return write(operation, asked, body, document, target, stored.routing);
  const result = showSource(operation, body, stringifyExact(document))(success(NOOP, stored));
  // What is stored may be a write that no replica has yet: it goes to them once more, under its own sequence number, before this is acknowledged.
  return { result, stored: { source, routing: stored.routing } };
}

function conditionOf(operation: Operation, body: UpdateBody): WriteCondition {
  const { version, versionType } = operation;
  return {
    kind: 'index',
    ifSeqNo: body.ifSeqNo ?? operation.ifSeqNo,
    ifPrimaryTerm: body.ifPrimaryTerm ?? operation.ifPrimaryTerm,
    version,
    versionType,
  };
}

function write(
  operation: Operation,
  asked: WriteCondition,
  body: UpdateBody,
  document: ExactObject,
  target: Target,
  storedRouting: string | undefined,
): AppliedOperation {
  const json = stringifyExact(document);
  // All that can fail comes before the row is written.
  const show = showSource(operation, body, json);
  const source = Buffer.from(json);
  const routing = operation.routing ?? storedRouting;
  const result: ItemResult = writeDocument({ id: operation.id, routing, source }, asked, target);
  return result.ok ? { result: show(result), stored: { source, routing } } : { result };
}

function showSource(operation: Operation, body: UpdateBody, json: string): ShowSource {
  const filter = body.source ?? (operation.returnSource ? WHOLE_SOURCE : undefined);
  if (filter === undefined || !filter.wanted) return (result) => result;
  const source = filterSource(JSON.parse(json), filter);
  return (result) => ({
    ...result,
    get: { _seq_no: result.seqNo, _primary_term: result.primaryTerm, found: true, _source: source },
  });
}

function readObject(source: Buffer): ExactObject {
  const document = parseExact(source.toString());
  if (isObject(document)) return document;
  throw new WeirError('internal', 'a stored document is no JSON object');
}
