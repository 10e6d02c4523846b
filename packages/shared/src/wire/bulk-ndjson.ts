// Operations as the body of a bulk that an OpenSearch node takes: action lines made anew, sources byte for byte.
import type { Operation } from './operation.ts';

const LINE_FEED = 0x0a;

/** The body of a `_bulk` that performs `operations` in order on `index`, by the alias that a client named where it did. */
export function bulkBody(index: string, operations: readonly Operation[]): Buffer {
  const lines = operations.map((operation) => actionLine(index, operation));
  const body = Buffer.allocUnsafe(sizeOf(lines, operations));
  let at = 0;
  operations.forEach(({ kind, source }, place) => {
    at += body.write(lines[place] ?? '', at);
    if (kind === 'delete') return;
    body.set(source, at);
    at += source.length;
    body[at] = LINE_FEED;
    at += 1;
  });
  return body;
}

function sizeOf(lines: readonly string[], operations: readonly Operation[]): number {
  let bytes = 0;
  for (const line of lines) bytes += Buffer.byteLength(line);
  for (const { kind, source } of operations) if (kind !== 'delete') bytes += source.length + 1;
  return bytes;
}

/** Put together by hand where an operation demands nothing, as nearly all do: an object for each would cost more than all else here. */
function actionLine(index: string, operation: Operation): string {
  const { alias = index, id, kind } = operation;
  if (demandsNothing(operation))
    return `{"${kind}":{"_index":${JSON.stringify(alias)},"_id":${JSON.stringify(id)}}}\n`;
  return `${JSON.stringify({ [kind]: actionOf(index, operation) })}\n`;
}

function demandsNothing(operation: Operation): boolean {
  return (
    operation.routing === undefined &&
    operation.ifSeqNo === undefined &&
    operation.version === undefined &&
    operation.versionType === 'internal' &&
    operation.retryOnConflict === 0 &&
    !operation.returnSource &&
    operation.requireAlias !== true
  );
}

function actionOf(index: string, operation: Operation): Record<string, unknown> {
  const action: Record<string, unknown> = { _index: operation.alias ?? index, _id: operation.id };
  if (operation.requireAlias === true) action['require_alias'] = true;
  if (operation.routing !== undefined) action['routing'] = operation.routing;
  if (operation.ifSeqNo !== undefined) action['if_seq_no'] = operation.ifSeqNo;
  if (operation.ifPrimaryTerm !== undefined) action['if_primary_term'] = operation.ifPrimaryTerm;
  if (operation.version !== undefined) action['version'] = operation.version;
  if (operation.versionType !== 'internal') action['version_type'] = operation.versionType;
  if (operation.retryOnConflict !== 0) action['retry_on_conflict'] = operation.retryOnConflict;
  if (operation.returnSource) action['_source'] = true;
  return action;
}
