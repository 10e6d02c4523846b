// Shard requests on the wire, to a primary's node and on to its replicas: columns of metadata, then the sources as they came.
import { z } from 'zod';
import { WeirError } from '../ops/errors.ts';
import { cutSources, decodeFrame, encodeFrame } from './frame.ts';
import type { Operation, ReplicaOperation, ReplicaRequest, ShardRequest } from './operation.ts';

const refresh = z.enum(['false', 'true', 'wait_for']);
const target = {
  index: z.string(),
  index_uuid: z.string(),
  shard: z.number().int().min(0),
  primary_term: z.number().int().min(1),
  bytes: z.number().min(0),
  timeout_ms: z.number().min(0),
  refresh,
  request_id: z.string(),
  bulk_id: z.string().optional(),
  ids: z.array(z.string()),
  lengths: z.array(z.number().int().min(0)),
};

/** What only few operations carry, by the operation's position. */
const extrasSchema = z.object({
  auto_id: z.boolean().optional(),
  routing: z.string().optional(),
  if_seq_no: z.number().optional(),
  if_primary_term: z.number().optional(),
  version: z.number().optional(),
  version_type: z.enum(['internal', 'external', 'external_gte']).optional(),
  retry_on_conflict: z.number().optional(),
  return_source: z.boolean().optional(),
  alias: z.string().optional(),
  require_alias: z.boolean().optional(),
});

const primaryHead = z.object({
  ...target,
  digest: z.number(),
  replica_nodes: z.array(z.string()).default([]),
  wait_for_active_shards: z.union([z.number().int().min(0), z.literal('all')]),
  opaque_id: z.string().optional(),
  trace_id: z.string().optional(),
  kinds: z.array(z.enum(['index', 'create', 'update', 'delete'])),
  /** Every id was made by the coordinator: said once instead of in every operation's extras, which cost thrice as much to read. */
  all_auto_ids: z.boolean().default(false),
  /** The same for an alias by which all of them came. */
  all_alias: z.string().optional(),
  extras: z.record(z.string(), extrasSchema),
});

const replicaHead = z.object({
  ...target,
  kinds: z.array(z.enum(['index', 'delete'])),
  routings: z.record(z.string(), z.string()),
  versions: z.array(z.number()),
  seq_nos: z.array(z.number().int().min(0)),
  primary_terms: z.array(z.number().int().min(1)),
});

type Extras = z.infer<typeof extrasSchema>;

function extrasOf(operation: Operation, all: Shared): Extras | undefined {
  const extras: Extras = {};
  if (operation.autoId && !all.autoIds) extras.auto_id = true;
  if (operation.alias !== undefined) addAlias(extras, operation, all);
  if (operation.routing !== undefined) extras.routing = operation.routing;
  if (operation.ifSeqNo !== undefined) extras.if_seq_no = operation.ifSeqNo;
  if (operation.ifPrimaryTerm !== undefined) extras.if_primary_term = operation.ifPrimaryTerm;
  if (operation.version !== undefined) extras.version = operation.version;
  if (operation.versionType !== 'internal') extras.version_type = operation.versionType;
  if (operation.retryOnConflict !== 0) extras.retry_on_conflict = operation.retryOnConflict;
  if (operation.returnSource) extras.return_source = true;
  for (const _ in extras) return extras;
  return undefined;
}

function addAlias(extras: Extras, { alias, requireAlias }: Operation, all: Shared): void {
  if (alias !== undefined && alias !== all.alias) extras.alias = alias;
  if (requireAlias === true) extras.require_alias = true;
}

/** What is said once for all operations. */
type Shared = { readonly autoIds: boolean; readonly alias: string | undefined };

function sharedBy(operations: readonly Operation[]): Shared {
  const alias = operations[0]?.alias;
  return {
    autoIds: operations.every((operation) => operation.autoId),
    alias: operations.every((operation) => operation.alias === alias) ? alias : undefined,
  };
}

/** A shard request as bytes for the primary's node. */
export function encodeShardRequest(request: ShardRequest): Buffer {
  const extras: Record<number, Extras> = {};
  const all = sharedBy(request.operations);
  request.operations.forEach((operation, position) => {
    const own = extrasOf(operation, all);
    if (own !== undefined) extras[position] = own;
  });
  const head = {
    ...targetHead(request, request.operations),
    digest: request.digest,
    wait_for_active_shards: request.waitForActiveShards,
    replica_nodes: request.replicaNodes,
    opaque_id: request.opaqueId,
    trace_id: request.traceId,
    kinds: request.operations.map((operation) => operation.kind),
    all_auto_ids: all.autoIds,
    all_alias: all.alias,
    extras,
  };
  return encodeFrame(
    head,
    request.operations.map((operation) => operation.source),
  );
}

/** The shard request in a frame; throws `parse` when the frame is not whole or not of this form. */
export function decodeShardRequest(frame: Buffer): ShardRequest {
  const { head, raw } = decodeFrame(frame, primaryHead);
  const sources = cutSources(raw, head.lengths);
  return {
    ...targetOf(head),
    digest: head.digest,
    waitForActiveShards: head.wait_for_active_shards,
    ...(head.replica_nodes.length === 0 ? {} : { replicaNodes: head.replica_nodes }),
    opaqueId: head.opaque_id,
    traceId: head.trace_id,
    operations: sources.map((source, position) => {
      const extras: Extras = head.extras[position] ?? {};
      const alias = extras.alias ?? head.all_alias;
      return {
        ...(alias === undefined ? {} : { alias }),
        ...(extras.require_alias === undefined ? {} : { requireAlias: extras.require_alias }),
        kind: at(head.kinds, position),
        id: at(head.ids, position),
        autoId: head.all_auto_ids || (extras.auto_id ?? false),
        routing: extras.routing,
        source,
        ifSeqNo: extras.if_seq_no,
        ifPrimaryTerm: extras.if_primary_term,
        version: extras.version,
        versionType: extras.version_type ?? 'internal',
        retryOnConflict: extras.retry_on_conflict ?? 0,
        returnSource: extras.return_source ?? false,
      };
    }),
  };
}

/** A replica request as bytes. */
export function encodeReplicaRequest(request: ReplicaRequest): Buffer {
  const routings: Record<number, string> = {};
  request.operations.forEach((operation, position) => {
    if (operation.routing !== undefined) routings[position] = operation.routing;
  });
  const head = {
    ...targetHead(request, request.operations),
    kinds: request.operations.map((operation) => operation.kind),
    routings,
    versions: request.operations.map((operation) => operation.version),
    seq_nos: request.operations.map((operation) => operation.seqNo),
    primary_terms: request.operations.map((operation) => operation.primaryTerm),
  };
  return encodeFrame(
    head,
    request.operations.map((operation) => operation.source),
  );
}

/** The replica request in a frame; throws `parse` when the frame is not whole or not of this form. */
export function decodeReplicaRequest(frame: Buffer): ReplicaRequest {
  const { head, raw } = decodeFrame(frame, replicaHead);
  const operations: ReplicaOperation[] = cutSources(raw, head.lengths).map((source, position) => ({
    kind: at(head.kinds, position),
    id: at(head.ids, position),
    routing: head.routings[position],
    source,
    version: at(head.versions, position),
    seqNo: at(head.seq_nos, position),
    primaryTerm: at(head.primary_terms, position),
  }));
  return { ...targetOf(head), operations };
}

type Target = Pick<
  ReplicaRequest,
  'index' | 'indexUuid' | 'shard' | 'primaryTerm' | 'bytes' | 'timeoutMs' | 'refresh' | 'requestId' | 'bulkId'
>;

function targetHead(
  request: Target,
  operations: readonly { readonly id: string; readonly source: Buffer }[],
) {
  return {
    index: request.index,
    index_uuid: request.indexUuid,
    shard: request.shard,
    primary_term: request.primaryTerm,
    bytes: request.bytes,
    timeout_ms: request.timeoutMs,
    refresh: request.refresh,
    request_id: request.requestId,
    bulk_id: request.bulkId,
    ids: operations.map((operation) => operation.id),
    lengths: operations.map((operation) => operation.source.length),
  };
}

function targetOf(head: z.infer<typeof replicaHead> | z.infer<typeof primaryHead>): Target {
  return {
    index: head.index,
    indexUuid: head.index_uuid,
    shard: head.shard,
    primaryTerm: head.primary_term,
    bytes: head.bytes,
    timeoutMs: head.timeout_ms,
    refresh: head.refresh,
    requestId: head.request_id,
    ...(head.bulk_id === undefined ? {} : { bulkId: head.bulk_id }),
  };
}

function at<T>(column: readonly T[], position: number): T {
  const value = column[position];
  if (value === undefined)
    throw new WeirError('parse', `frame head: a column ends before operation ${position}`);
  return value;
}
