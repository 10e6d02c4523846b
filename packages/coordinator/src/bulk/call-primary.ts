// How a shard request reaches the node of its primary: as a frame over that node's internal interface.
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

/** The node's answer, or in words what came instead of one. Throws as HttpClient does. */
export type CallPrimary = (
  node: TopologyNode,
  request: ShardRequest,
  client: ClientRequest,
) => Promise<ShardAnswer | string>;

/** `headersFor`: what goes with the request of a client, such as the cluster's secret. */
export function callDataNode(
  http: HttpClient,
  headersFor: (client: ClientRequest) => Readonly<Record<string, string>>,
): CallPrimary {
  return async (node, request, client) => {
    const { status, body } = await http.call({
      origin: node.address,
      path: INTERNAL_PATHS.primary,
      method: 'POST',
      headers: { ...headersFor(client), 'content-type': 'application/octet-stream' },
      body: encodeShardRequest(request),
      timeoutMs: request.timeoutMs,
    });
    return parseShardAnswer(body) ?? `node [${node.name}] answered ${status} with a body that is no answer`;
  };
}
