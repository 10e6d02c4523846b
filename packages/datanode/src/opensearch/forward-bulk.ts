// The way of a shard request at an agent: past the guard, then as a bulk to its node; what the node refuses is evidence.
import {
  bulkPath,
  type HttpAnswer,
  type RawHeaders,
  readBulkAnswer,
  type ShardBulk,
  type ShardBulkAnswer,
  toWeirError,
  WeirError,
  waitsForMore,
  whyUnacknowledged,
} from '@weir/shared';
import type { Refused } from '../shard/admit-shard.ts';
import type { Admitted } from '../shard/admitted.ts';
import { answerBy } from '../shard/deadline.ts';
import type { JudgedRequest } from '../shard/judged-request.ts';
import { type ReservePorts, withPermits } from '../shard/reserve-replicas.ts';
import { answered, type ShardPorts } from '../shard/shard-ports.ts';
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

type Answered = { readonly outcome: 'applied' } & HttpAnswer;
type AdmittedBulk = Admitted<ShardBulk & JudgedRequest>;

/** Answers a shard request of a client with these headers; never throws. */
export function handleForward(
  bulk: ShardBulk,
  client: RawHeaders,
  ports: ForwardPorts,
): Promise<ShardBulkAnswer> {
  const holdMs = Math.min(bulk.timeoutMs, ports.primaryTimeoutMs);
  const request = { ...bulk, contentDigest: () => bulk.digest };
  const done = ports.guard.primary<typeof request, Answered | Refused>(request, (admitted) =>
    withPermits(admitted, bulk.replicaNodes, holdMs, ports.reserve, () => forward(admitted, client, ports)),
  );
  return answered('primary', done, ports);
}

async function forward(bulk: AdmittedBulk, client: RawHeaders, ports: ForwardPorts): Promise<Answered> {
  const end = begin(bulk, ports);
  try {
    const { status, body } = await send(bulk, client, ports);
    if (status === 429 || holdsRefusal(body)) ports.onRefusal();
    return { outcome: 'applied', status, body };
  } catch (thrown) {
    const { code, message, fields } = toWeirError(thrown);
    if (fields['sent'] !== false) throw new WeirError(code, whyUnacknowledged(message), { cause: thrown });
    ports.onGone(message);
    // The code by which a coordinator looks where the primary is now and tries again: nothing was applied.
    throw new WeirError('no_shard_available', message, { cause: thrown });
  } finally {
    end();
  }
}

/** The node answers before this agent gives up, and the agent before its coordinator does. */
function send(bulk: AdmittedBulk, client: RawHeaders, ports: ForwardPorts): Promise<HttpAnswer> {
  const { clock, node, primaryTimeoutMs } = ports;
  const timeoutMs = answerBy(Math.min(bulk.timeoutMs, primaryTimeoutMs), clock) - clock.nowMs();
  const nodeTimeoutMs = answerBy(timeoutMs, clock) - clock.nowMs();
  return node.bulk(bulkPath(bulk, nodeTimeoutMs), client, bulk.body, timeoutMs);
}

function begin(bulk: AdmittedBulk, { beginWork }: ForwardPorts): () => void {
  if (waitsForMore(bulk)) return () => {};
  return beginWork(bulk.work, bulk.operationCount, bulk.bulkId);
}

/** Of the reasons for a 429 those that mean lack of room; a full disk is one too, but no stress that passes. */
const NO_ROOM = /"type":"(?:(?:es_)?rejected_execution_exception|circuit_breaking_exception)"/;

/** Only an answer that has the words somewhere is cut into its items. */
function holdsRefusal(body: Buffer): boolean {
  if (!body.includes('"status":429')) return false;
  const items = readBulkAnswer(body) ?? [];
  return items.some((item) => item.status === 429 && NO_ROOM.test(item.body));
}
