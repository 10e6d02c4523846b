// A shard request as guard and permits see it: what they decide by, whatever form its operations came in.
import { digestOf, type ShardRequest } from '@weir/shared';

export type JudgedRequest = Pick<
  ShardRequest,
  'index' | 'shard' | 'bytes' | 'bulkId' | 'requestId' | 'opaqueId' | 'traceId'
> & {
  readonly operationCount: number;
  /** Hash by which a retry of the same operations is known again. */
  readonly contentDigest: () => number;
};

/** Hashes where its sender did not, when somebody asks for the first time. */
export function judged(request: ShardRequest): ShardRequest & JudgedRequest {
  const { operations } = request;
  let { digest } = request;
  return {
    ...request,
    operationCount: operations.length,
    contentDigest() {
      if (digest === 0) digest = digestOf(operations);
      return digest;
    },
  };
}
