// The fields that the head of every write between Weir's processes has, whatever form its operations have.
import { z } from 'zod';
import type { ShardRequest } from './operation.ts';

/** What it is for, how large it is, and how long its sender waits. */
type WriteHead = Pick<
  ShardRequest,
  'index' | 'shard' | 'bytes' | 'timeoutMs' | 'refresh' | 'requestId' | 'bulkId'
>;

export const writeFields = {
  index: z.string(),
  shard: z.number().int().min(0),
  bytes: z.number().min(0),
  timeout_ms: z.number().min(0),
  refresh: z.enum(['false', 'true', 'wait_for']),
  request_id: z.string(),
  bulk_id: z.string().optional(),
};

export function toWriteFields(request: WriteHead) {
  return {
    index: request.index,
    shard: request.shard,
    bytes: request.bytes,
    timeout_ms: request.timeoutMs,
    refresh: request.refresh,
    request_id: request.requestId,
    bulk_id: request.bulkId,
  };
}

type WriteFields = z.infer<z.ZodObject<typeof writeFields>>;

export function fromWriteFields(head: WriteFields): WriteHead {
  return {
    index: head.index,
    shard: head.shard,
    bytes: head.bytes,
    timeoutMs: head.timeout_ms,
    refresh: head.refresh,
    requestId: head.request_id,
    ...(head.bulk_id === undefined ? {} : { bulkId: head.bulk_id }),
  };
}

/** The same of a coordinator's request, with what it says of its client and of the content. */
export type CoordinatorHead = WriteHead &
  Pick<ShardRequest, 'digest' | 'waitForActiveShards' | 'opaqueId' | 'traceId'>;

export const coordinatorFields = {
  ...writeFields,
  digest: z.number(),
  wait_for_active_shards: z.union([z.number().int().min(0), z.literal('all')]),
  opaque_id: z.string().optional(),
  trace_id: z.string().optional(),
};

export function toCoordinatorFields(request: CoordinatorHead) {
  return {
    ...toWriteFields(request),
    digest: request.digest,
    wait_for_active_shards: request.waitForActiveShards,
    opaque_id: request.opaqueId,
    trace_id: request.traceId,
  };
}

type CoordinatorFields = z.infer<z.ZodObject<typeof coordinatorFields>>;

export function fromCoordinatorFields(head: CoordinatorFields): CoordinatorHead {
  return {
    ...fromWriteFields(head),
    digest: head.digest,
    waitForActiveShards: head.wait_for_active_shards,
    opaqueId: head.opaque_id,
    traceId: head.trace_id,
  };
}
