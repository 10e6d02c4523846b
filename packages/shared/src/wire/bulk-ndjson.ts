// Operations as the body of a bulk that an OpenSearch node takes: action lines made anew, sources byte for byte.
import type { Operation } from './operation.ts';

const LINE_END = Buffer.from('\n');

/** The body of a `_bulk` that performs `operations` in order on `index`, by the alias that a client named where it did. */
export function bulkBody(index: string, operations: readonly Operation[]): Buffer {
  const lines: Buffer[] = [];
  for (const operation of operations) {
    lines.push(Buffer.from(`${JSON.stringify({ [operation.kind]: actionOf(index, operation) })}\n`));
    if (operation.kind !== 'delete') lines.push(operation.source, LINE_END);
  }
  return Buffer.concat(lines);
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
