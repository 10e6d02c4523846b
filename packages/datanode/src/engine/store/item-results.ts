// The results of single operations as the engine knows them, in OpenSearch's words.
import type { ItemFailure, ItemSuccess } from '@weir/shared';
import { ERROR_CODES, type ErrorCode } from '@weir/shared/errors';
import type { CopyRef } from '../engine.ts';
import type { StoredVersion } from './find-conflict.ts';

type Outcome = Pick<ItemSuccess, 'status' | 'result'>;

export const CREATED: Outcome = { status: 201, result: 'created' };
export const UPDATED: Outcome = { status: 200, result: 'updated' };
export const DELETED: Outcome = { status: 200, result: 'deleted' };
export const NOT_FOUND: Outcome = { status: 404, result: 'not_found' };
export const NOOP: Outcome = { status: 200, result: 'noop' };

/** What this copy alone can say; the data path puts the true header in once the replicas have answered. */
const THIS_COPY = { total: 1, successful: 1, failed: 0 } as const;

export function success(
  outcome: Outcome,
  { version, seqNo, primaryTerm }: Pick<StoredVersion, 'version' | 'seqNo' | 'primaryTerm'>,
): ItemSuccess {
  return { ok: true, ...outcome, version, seqNo, primaryTerm, shards: THIS_COPY };
}

/** A failure that the shard raised: index, shard and uuid stand beside the reason. */
export function shardFailure(copy: CopyRef, code: ErrorCode, reason: string): ItemFailure {
  const { status, type } = ERROR_CODES[code];
  return {
    ok: false,
    status,
    error: { type, reason, index: copy.index, shard: String(copy.shard), index_uuid: copy.indexUuid },
  };
}

/** A failure of what the client sent; these have no shard. */
export function requestFailure(code: ErrorCode, reason: string): ItemFailure {
  const { status, type } = ERROR_CODES[code];
  return { ok: false, status, error: { type, reason } };
}

/** A document that cannot be stored as it is. */
export function documentFailure(fault: string): ItemFailure {
  const { status, type } = ERROR_CODES.mapper_parsing;
  return {
    ok: false,
    status,
    error: {
      type,
      reason: `failed to parse: ${fault}`,
      caused_by: { type: ERROR_CODES.parse.type, reason: fault },
    },
  };
}
