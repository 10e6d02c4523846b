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

/** Hashes where its sender did not, once somebody asks. */
export function judged(request: ShardRequest): ShardRequest & JudgedRequest {
  const { digest, operations } = request;
  return {
    ...request,
    operationCount: operations.length,
    contentDigest: () => (digest === 0 ? digestOf(operations) : digest),
  };
}
