// How a shard request reaches the node of its primary: over that node's internal interface, in the form that this kind of node reads.
import {
  encodeShardRequest,
  type HttpClient,
  INTERNAL_PATHS,
  parseShardAnswer,
  type ShardAnswer,
  type ShardRequest,
} from '@weir/shared';
import type { TopologyNode } from '../cluster/topology.ts';
import type { ClientRequest } from './send-unsplit.ts';

type PrimaryTarget = {
  readonly node: TopologyNode;
  /** Ids of the nodes of the shard's replicas. */
  readonly replicaNodes: readonly string[];
};

/** The node's answer, or in words what came instead of one. Throws as HttpClient does. */
export type CallPrimary = (
  target: PrimaryTarget,
  request: ShardRequest,
  client: ClientRequest,
) => Promise<ShardAnswer | string>;

/** What a kind of node is sent, and how its answer is read: undefined where it is none. */
export type PrimaryForm = {
  readonly path: string;
  encode(request: ShardRequest, replicaNodes: readonly string[]): Buffer;
  decode(body: Buffer, request: ShardRequest): ShardAnswer | undefined;
};

/** A data node has its own metadata, and knows the replicas by it. */
export const DATA_NODE_FORM: PrimaryForm = {
  path: INTERNAL_PATHS.primary,
  encode: encodeShardRequest,
  decode: parseShardAnswer,
};

/** `headersFor`: what goes with the request of a client, such as the cluster's secret. */
export function callPrimaryBy(
  form: PrimaryForm,
  http: HttpClient,
  headersFor: (client: ClientRequest) => Readonly<Record<string, string>>,
): CallPrimary {
  return async ({ node, replicaNodes }, request, client) => {
    const { status, body } = await http.call({
      origin: node.address,
      path: form.path,
      method: 'POST',
      headers: { ...headersFor(client), 'content-type': 'application/octet-stream' },
      body: form.encode(request, replicaNodes),
      timeoutMs: request.timeoutMs,
    });
    const answer = form.decode(body, request);
    return answer ?? `node [${node.name}] answered ${status} with a body that is no answer`;
  };
}
