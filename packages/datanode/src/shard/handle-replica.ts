// A replica's part of a write: find the copy, pass the guard at the replica limit, apply by sequence number, answer.
import { type ReplicaRequest, type ShardAnswer, workOf } from '@weir/shared';
import type { Refused } from './admit-shard.ts';
import type { AdmittedReplicaRequest } from './admitted.ts';
import { answerBy } from './deadline.ts';
import { findReplica } from './find-copy.ts';
import { type Applied, answered, refreshIfAsked, type ShardPorts } from './shard-ports.ts';

/** Answers a primary; never throws. `letPass`: the primary's setting is to let the write through whatever the limits here say. */
export function handleReplica(
  request: ReplicaRequest,
  letPass: boolean,
  ports: ShardPorts,
): Promise<ShardAnswer> {
  return answered('replica', answerReplica(request, letPass, ports), ports);
}

async function answerReplica(
  request: ReplicaRequest,
  letPass: boolean,
  ports: ShardPorts,
): Promise<Applied | Refused> {
  const deadlineMs = answerBy(request.timeoutMs, ports.clock);
  const metadata = await findReplica(request, deadlineMs, ports);
  await ports.engine.openCopy(request, metadata);
  return ports.guard.replica(request, letPass, (admitted) => apply(admitted, ports));
}

async function apply(request: AdmittedReplicaRequest, ports: ShardPorts): Promise<Applied> {
  const end = ports.beginWork(workOf(request.operations), request.operations.length, request.bulkId);
  try {
    await ports.engine.applyReplica(request);
    await refreshIfAsked(request, ports.engine);
    return { outcome: 'applied', results: [] };
  } finally {
    end();
  }
}
