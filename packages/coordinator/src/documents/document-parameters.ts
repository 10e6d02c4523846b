// What the query string of a write of one document says.
import type { OperationKind, VersionType } from '@weir/shared';
import type { Request } from 'express';
import { type Conditions, NO_CONDITIONS } from '../bulk/bulk-action.ts';
import { readWriteParameters, type WriteParameters } from '../bulk/write-parameters.ts';
import { QueryParameters } from '../http/query-parameters.ts';

export type DocumentParameters = WriteParameters & {
  readonly kind: OperationKind;
  readonly conditions: Conditions;
};

const VERSION_TYPES: readonly VersionType[] = ['internal', 'external', 'external_gte'];
const MAX = Number.MAX_SAFE_INTEGER;

/** `given` is what the route says; only an index operation may be turned into a create. */
export function readDocumentParameters(
  request: Request,
  given: OperationKind,
  clientMs: number,
): DocumentParameters {
  const query = new QueryParameters(request);
  const kind = given === 'index' ? query.oneOf('op_type', 'index', ['index', 'create']) : given;
  const parameters = {
    ...readWriteParameters(query, clientMs),
    kind,
    conditions: conditionsOf(query, given),
  };
  query.end();
  return parameters;
}

function conditionsOf(query: QueryParameters, given: OperationKind): Conditions {
  const whole = (name: string, min: number): number | undefined =>
    query.text(name) === undefined ? undefined : query.integer(name, 0, min, MAX);
  const conditions = {
    ifSeqNo: whole('if_seq_no', 0),
    ifPrimaryTerm: whole('if_primary_term', 0),
    version: whole('version', -MAX),
    versionType: query.oneOf('version_type', 'internal', VERSION_TYPES),
    retryOnConflict: given === 'update' ? query.integer('retry_on_conflict', 0, 0, 1_000) : 0,
  };
  const { ifSeqNo, ifPrimaryTerm, version, versionType, retryOnConflict } = conditions;
  const any = (ifSeqNo ?? ifPrimaryTerm ?? version) !== undefined;
  return any || versionType !== 'internal' || retryOnConflict > 0 ? conditions : NO_CONDITIONS;
}
