// A shard request for an agent: what it is judged by, and behind that the bulk for the agent's node, which the agent hands on unread.
import { z } from 'zod';
import { digestOf } from '../admission/digest.ts';
import { bulkBody } from '../wire/bulk-ndjson.ts';
import { decodeFrame, encodeFrame } from '../wire/frame.ts';
import { type ShardRequest, workOf } from '../wire/operation.ts';
import {
  type CoordinatorHead,
  coordinatorFields,
  fromCoordinatorFields,
  toCoordinatorFields,
} from '../wire/request-head.ts';

/**
 * Only the coordinator knows the operations. When agents got them in columns, as data nodes do, an agent took 13.1 ms of processor time for
 * each of the bulks of 1,000 of `npm run bench -- opensearch-overhead`, where it takes 5.9 now.
 */
export type ShardBulk = CoordinatorHead & {
  /** How many operations the body holds. */
  readonly operationCount: number;
  readonly work: number;
  /** Nodes of the replicas as the coordinator knows them. */
  readonly replicaNodes: readonly string[];
  readonly body: Buffer;
};

const headSchema = z.object({
  ...coordinatorFields,
  operations: z.number().int().min(1),
  work: z.number().min(0),
  replica_nodes: z.array(z.string()),
});

/** The digest is always there: an agent cannot make it of the body, where ids that the client gave and others look the same. */
export function encodeShardBulk(request: ShardRequest, replicaNodes: readonly string[]): Buffer {
  const { digest, index, operations } = request;
  const head = {
    ...toCoordinatorFields(request),
    digest: digest === 0 ? digestOf(operations) : digest,
    operations: operations.length,
    work: workOf(operations),
    replica_nodes: replicaNodes,
  };
  return encodeFrame(head, [bulkBody(index, operations)]);
}

/** Throws `parse` when the frame is not whole or not of this form. */
export function decodeShardBulk(frame: Buffer): ShardBulk {
  const { head, raw } = decodeFrame(frame, headSchema);
  return {
    ...fromCoordinatorFields(head),
    operationCount: head.operations,
    work: head.work,
    replicaNodes: head.replica_nodes,
    body: raw,
  };
}
