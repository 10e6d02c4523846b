// A replica's part of a write as frames of a bounded size: what a primary made of a small request can be many times as large.
import { encodeReplicaRequest, operationBytes, type ReplicaOperation, type ShardRequest } from '@weir/shared';

/** Large enough that an ordinary bulk is one frame with one commit, small enough that a few of them fit in memory. */
const FRAME_BYTES = 16 * 1024 * 1024;

type Target = Pick<
  ShardRequest,
  'index' | 'indexUuid' | 'shard' | 'primaryTerm' | 'refresh' | 'requestId' | 'bulkId'
>;

/** Frames to send one after another; the last one asks for the refresh. An operation is never cut. */
export function replicaFrames(
  request: Target,
  operations: readonly ReplicaOperation[],
  timeoutMs: number,
): readonly Buffer[] {
  const parts = partsOf(operations);
  const { index, indexUuid, shard, primaryTerm, requestId, bulkId } = request;
  return parts.map(({ bytes, part }, position) =>
    encodeReplicaRequest({
      ...{ index, indexUuid, shard, primaryTerm, requestId, bytes, timeoutMs },
      ...(bulkId === undefined ? {} : { bulkId }),
      operations: part,
      refresh: position === parts.length - 1 ? request.refresh : 'false',
    }),
  );
}

function partsOf(operations: readonly ReplicaOperation[]): { bytes: number; part: ReplicaOperation[] }[] {
  let last = { bytes: 0, part: [] as ReplicaOperation[] };
  const parts = [last];
  for (const operation of operations) {
    const bytes = operationBytes(operation.source.length);
    if (last.part.length > 0 && last.bytes + bytes > FRAME_BYTES) {
      last = { bytes: 0, part: [] };
      parts.push(last);
    }
    last.bytes += bytes;
    last.part.push(operation);
  }
  return parts;
}
