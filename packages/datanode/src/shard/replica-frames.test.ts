import { describe, expect, it } from '@jest/globals';
import { decodeReplicaRequest, operationBytes } from '@weir/shared';
import { shardRequest } from '../testing/requests.ts';
import { replicaFrames } from './replica-frames.ts';

const MIB = 1024 * 1024;
const operation = (seqNo: number, bytes: number) => ({
  ...{ kind: 'index' as const, id: `d${seqNo}`, routing: undefined, source: Buffer.alloc(bytes) },
  ...{ version: 1, seqNo, primaryTerm: 1 },
});
const decoded = (sizes: readonly number[]) =>
  replicaFrames(
    shardRequest({ refresh: 'true' }),
    sizes.map((bytes, n) => operation(n, bytes)),
    5_000,
  ).map(decodeReplicaRequest);

describe('the frames of a replica’s part', () => {
  it('are one for an ordinary bulk, with all its operations, their bytes and the refresh', () => {
    const [frame, ...others] = decoded([10, 20, 30]);
    expect(others).toEqual([]);
    expect(frame).toMatchObject({ index: 'logs', refresh: 'true', timeoutMs: 5_000 });
    expect(frame?.operations.map(({ seqNo }) => seqNo)).toEqual([0, 1, 2]);
    expect(frame?.bytes).toBe(operationBytes(10) + operationBytes(20) + operationBytes(30));
  });

  it('are several where updates made much of little: in order, none over 16 MiB but an operation that is so alone', () => {
    const frames = decoded([9 * MIB, 9 * MIB, 20 * MIB, 1, 2]);
    expect(frames.map(({ operations }) => operations.map(({ seqNo }) => seqNo))).toEqual([
      [0],
      [1],
      [2],
      [3, 4],
    ]);
    expect(frames.map(({ refresh }) => refresh)).toEqual(['false', 'false', 'false', 'true']);
  });
});
