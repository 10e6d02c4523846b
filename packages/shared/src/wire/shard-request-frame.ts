// Shard requests on the wire, to a primary's node and on to its replicas: columns of metadata, then the sources as they came.
import { z } from 'zod';
import { WeirError } from '../ops/errors.ts';
import { cutSources, decodeFrame, encodeFrame } from './frame.ts';
import type { Operation, ReplicaOperation, ReplicaRequest, ShardRequest } from './operation.ts';
import {
  coordinatorFields,
  fromCoordinatorFields,
  fromWriteFields,
  toCoordinatorFields,
  toWriteFields,
  writeFields,
} from './request-head.ts';

const target = {
  index_uuid: z.string(),
  primary_term: z.number().int().min(1),
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
});

const primaryHead = z.object({
  ...coordinatorFields,
  ...target,
  kinds: z.array(z.enum(['index', 'create', 'update', 'delete'])),
  /** Every id was made by the coordinator: said once instead of in every operation's extras, which cost thrice as much to read. */
  all_auto_ids: z.boolean().default(false),
  extras: z.record(z.string(), extrasSchema),
});

const replicaHead = z.object({
  ...writeFields,
  ...target,
  kinds: z.array(z.enum(['index', 'delete'])),
  routings: z.record(z.string(), z.string()),
  versions: z.array(z.number()),
  seq_nos: z.array(z.number().int().min(0)),
  primary_terms: z.array(z.number().int().min(1)),
});

type Extras = z.infer<typeof extrasSchema>;

function extrasOf(operation: Operation, allAutoIds: boolean): Extras | undefined {
  const extras: Extras = {};
  if (operation.autoId && !allAutoIds) extras.auto_id = true;
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

/** A shard request as bytes for the primary's node. */
export function encodeShardRequest(request: ShardRequest): Buffer {
  const extras: Record<number, Extras> = {};
  const allAutoIds = request.operations.every((operation) => operation.autoId);
  request.operations.forEach((operation, position) => {
    const own = extrasOf(operation, allAutoIds);
    if (own !== undefined) extras[position] = own;
  });
  const head = {
    ...toCoordinatorFields(request),
    ...targetHead(request, request.operations),
    kinds: request.operations.map((operation) => operation.kind),
    all_auto_ids: allAutoIds,
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
    ...fromCoordinatorFields(head),
    ...targetOf(head),
    operations: sources.map((source, position) => {
      const extras: Extras = head.extras[position] ?? {};
      return {
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
    ...toWriteFields(request),
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
  return { ...fromWriteFields(head), ...targetOf(head), operations };
}

type Target = Pick<ReplicaRequest, 'indexUuid' | 'primaryTerm'>;

function targetHead(
  request: Target,
  operations: readonly { readonly id: string; readonly source: Buffer }[],
) {
  return {
    index_uuid: request.indexUuid,
    primary_term: request.primaryTerm,
    ids: operations.map((operation) => operation.id),
    lengths: operations.map((operation) => operation.source.length),
  };
}

function targetOf(head: z.infer<typeof replicaHead> | z.infer<typeof primaryHead>): Target {
  return { indexUuid: head.index_uuid, primaryTerm: head.primary_term };
}

function at<T>(column: readonly T[], position: number): T {
  const value = column[position];
  if (value === undefined)
    throw new WeirError('parse', `frame head: a column ends before operation ${position}`);
  return value;
}
