// The way of a shard request at an agent: past the guard, then as a bulk to its node; what the node refuses is evidence.
import {
  bulkBody,
  bulkPath,
  bulkResults,
  type HttpAnswer,
  type OperationResult,
  type RawHeaders,
  type ShardAnswer,
  type ShardRequest,
  toWeirError,
  unansweredBulk,
  WeirError,
} from '@weir/shared';
import type { Refused } from '../shard/admit-shard.ts';
import type { AdmittedShardRequest } from '../shard/admitted.ts';
import { answerBy } from '../shard/deadline.ts';
import { type ReservePorts, withPermits } from '../shard/reserve-replicas.ts';
import { type Applied, answered, type ShardPorts, workOf } from '../shard/shard-ports.ts';
import type { LocalNode } from './local-node.ts';

export type ForwardPorts = Pick<
  ShardPorts,
  'beginWork' | 'clock' | 'guard' | 'primaryTimeoutMs' | 'seconds' | 'stats'
> & {
  readonly node: Pick<LocalNode, 'bulk'>;
  readonly reserve: ReservePorts;
  /** The node refused work for lack of room. */
  readonly onRefusal: () => void;
  /** Nothing takes connections at the node's address. */
  readonly onGone: (reason: string) => void;
};

/** Answers a shard request of a client with these headers; never throws. */
export function handleForward(
  request: ShardRequest,
  client: RawHeaders,
  ports: ForwardPorts,
): Promise<ShardAnswer> {
  const holdMs = Math.min(request.timeoutMs, ports.primaryTimeoutMs);
  const done = ports.guard.primary<Applied | Refused>(request, (admitted) =>
    withPermits(admitted, request.replicaNodes ?? [], holdMs, ports.reserve, () =>
      forward(admitted, client, ports),
    ),
  );
  return answered('primary', done, ports);
}

async function forward(
  request: AdmittedShardRequest,
  client: RawHeaders,
  ports: ForwardPorts,
): Promise<Applied> {
  const operations = request.operations.map(({ id }) => ({ index: request.index, id }));
  const end = begin(request, ports);
  try {
    const answer = await send(request, client, ports);
    const results = bulkResults(answer, operations);
    if (answer.status === 429 || results.some(isRefusal)) ports.onRefusal();
    return { outcome: 'applied', results: [...results] };
  } catch (thrown) {
    const { results, sent } = unansweredBulk(thrown, operations);
    if (sent) return { outcome: 'applied', results: [...results] };
    const { message } = toWeirError(thrown);
    ports.onGone(message);
    // The code by which a coordinator looks where the primary is now and tries again: nothing was applied.
    throw new WeirError('no_shard_available', message, { cause: thrown });
  } finally {
    end();
  }
}

/** The node answers before this agent gives up, and the agent before its coordinator does. */
function send(request: AdmittedShardRequest, client: RawHeaders, ports: ForwardPorts): Promise<HttpAnswer> {
  const { clock, node, primaryTimeoutMs } = ports;
  const timeoutMs = answerBy(Math.min(request.timeoutMs, primaryTimeoutMs), clock) - clock.nowMs();
  const nodeTimeoutMs = answerBy(timeoutMs, clock) - clock.nowMs();
  return node.bulk(
    bulkPath(request, nodeTimeoutMs),
    client,
    bulkBody(request.index, request.operations),
    timeoutMs,
  );
}

/** A write that waits for a refresh or for copies says nothing of how fast the node works, however long it takes. */
function begin(request: AdmittedShardRequest, { beginWork }: ForwardPorts): () => void {
  if (request.refresh === 'wait_for' || request.waitForActiveShards !== 1) return () => {};
  return beginWork(workOf(request.operations), request.operations.length, request.bulkId);
}

/** Of the reasons for a 429 those that mean lack of room; a full disk is one too, but no stress that passes. */
const NO_ROOM = /"type":"(?:(?:es_)?rejected_execution_exception|circuit_breaking_exception)"/;

function isRefusal(result: OperationResult): boolean {
  return result.status === 429 && 'body' in result && NO_ROOM.test(result.body);
}
