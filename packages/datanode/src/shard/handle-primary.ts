// The whole way of a shard request at its primary: find the copy, pass the guard, apply, replicate, answer.
import { type ShardAnswer, type ShardRequest, toWeirError, workOf } from '@weir/shared';
import type { PrimaryOutcome } from '../engine/engine.ts';
import type { Refused } from './admit-shard.ts';
import type { AdmittedShardRequest } from './admitted.ts';
import { acknowledged, unacknowledged, unfinished } from './answer-items.ts';
import { awaitActiveCopies } from './await-active-copies.ts';
import { answerBy, byThen } from './deadline.ts';
import { findPrimary, stillPrimary } from './find-copy.ts';
import { judged } from './judged-request.ts';
import { replicate } from './replicate.ts';
import { permitHeaders, withPermits } from './reserve-replicas.ts';
import { type Applied, answered, refreshIfAsked, type ShardPorts } from './shard-ports.ts';

/** Answers a shard request; never throws. */
export function handlePrimary(request: ShardRequest, ports: ShardPorts): Promise<ShardAnswer> {
  return answered('primary', answerPrimary(request, ports), ports);
}

async function answerPrimary(request: ShardRequest, ports: ShardPorts): Promise<Applied | Refused> {
  const timeoutMs = Math.min(request.timeoutMs, ports.primaryTimeoutMs);
  const deadlineMs = answerBy(timeoutMs, ports.clock);
  const metadata = await findPrimary(request, deadlineMs, ports);
  await ports.engine.openCopy(request, metadata);
  const asked = judged(request);
  const replicaNodes = metadata.shards[request.shard]?.replicas.map(({ node }) => node) ?? [];
  const done = ports.guard.primary<typeof asked, Applied | Refused>(asked, (admitted) =>
    withPermits(admitted, replicaNodes, timeoutMs, ports, (permits) =>
      write(admitted, deadlineMs, { ...ports, headers: { ...ports.headers, ...permitHeaders(permits) } }),
    ),
  );
  return byThen<Applied | Refused>(done, deadlineMs, ports, () => {
    const why = `not every in-sync copy had it within ${Math.round(timeoutMs)} ms`;
    return { outcome: 'applied', results: unfinished(request, why) };
  });
}

/** What the guard let through. Up to `apply` nothing has happened; after it nothing refuses any more. */
async function write(request: AdmittedShardRequest, deadlineMs: number, ports: ShardPorts): Promise<Applied> {
  await awaitActiveCopies(request, () => ports.table.get(request.index), deadlineMs, ports);
  const { results, replicaOperations } = await apply(request, ports);
  try {
    const metadata = stillPrimary(request, ports.table, ports.nodeId);
    const [replicated] = await Promise.all([
      replicate(request, replicaOperations, metadata, ports),
      refreshIfAsked(request, ports.engine),
    ]);
    return {
      outcome: 'applied',
      results: replicated.acknowledged
        ? acknowledged(results, replicated.shards)
        : unacknowledged(request, results, replicated.reason),
    };
  } catch (thrown) {
    return { outcome: 'applied', results: unacknowledged(request, results, toWeirError(thrown).message) };
  }
}

async function apply(request: AdmittedShardRequest, ports: ShardPorts): Promise<PrimaryOutcome> {
  const end = ports.beginWork(workOf(request.operations), request.operations.length, request.bulkId);
  try {
    return await ports.engine.applyPrimary(request);
  } finally {
    end();
  }
}
