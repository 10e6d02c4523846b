// May this write of one document go on? By the same gate as a shard request, for the shard it goes to or the worst it may go to.
import {
  decideShard,
  digestOf,
  type ItemFailure,
  type OperationKind,
  operationBytes,
  type ShardFacts,
  shardOf,
} from '@weir/shared';
import type { BulkDependencies } from '../bulk/bulk-dependencies.ts';
import { decisionRound, recordDecision } from '../bulk/evaluate-shard.ts';
import { copiesOf, worstVerdict } from '../bulk/evaluate-unsplit.ts';
import type { RequestIdentity } from '../bulk/request-identity.ts';
import type { Target } from '../cluster/topology.ts';

export type JudgedWrite = {
  readonly kind: OperationKind;
  readonly index: string;
  /** undefined: OpenSearch makes one, and so chooses the shard. */
  readonly id: string | undefined;
  readonly target: Target;
  /** As it came on the wire. */
  readonly body: Buffer;
};

type Placed = Omit<ShardFacts, 'digest'>;

const NO_SHARD = -1;

/** The refusal, or undefined where it may go on. It does not pass by an agent, so none will report it, and it is not noted as sent. */
export function judgeWrite(
  write: JudgedWrite,
  identity: RequestIdentity,
  deps: BulkDependencies,
): ItemFailure | undefined {
  const round = decisionRound(identity, deps);
  const digest = digestFor(write);
  const decided = { operations: 1, bytes: operationBytes(write.body.length), round };
  const placed = placeOf(write);
  if (placed === undefined) {
    const { index } = write;
    const verdict = worstVerdict({ index, shard: NO_SHARD, digest }, candidates(write, deps), round);
    return recordDecision(verdict, { ...decided, index, shard: undefined, subject: `write to [${index}]` });
  }
  const { index, shard } = placed;
  const verdict = decideShard({ ...placed, digest }, round.view, round.own, round.moment);
  const subject = `write to [${index}][${shard}]`;
  return recordDecision(verdict, { ...decided, index, shard, subject });
}

/** The same for a retry of the same write. */
function digestFor({ kind, id, body }: JudgedWrite): () => number {
  return () => digestOf([{ kind, id: id ?? '', autoId: id === undefined, routing: undefined, source: body }]);
}

function placeOf({ id, target }: JudgedWrite): Placed | undefined {
  if (target.kind !== 'index' || id === undefined) return undefined;
  const { metadata, routing } = target;
  const shard = shardOf(metadata, id, routing);
  const table = metadata.shards[shard];
  if (table === undefined || table.primary === null) return undefined;
  const replicas = table.replicas.map(({ node }) => node);
  return { index: metadata.name, shard, primary: table.primary.node, replicas };
}

/** Where it may end: any shard of its index, or any node where that is unknown. */
function candidates({ target }: JudgedWrite, { topology }: BulkDependencies) {
  const likely =
    target.kind === 'index' ? target.metadata : target.kind === 'unsplit' ? target.likely : undefined;
  return likely === undefined
    ? topology.nodes().map(({ id }) => ({ primary: id, replicas: [] }))
    : copiesOf(likely);
}
