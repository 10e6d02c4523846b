// How a shard request reaches the node of its primary: through the agent beside it, or straight to the node where the agent is gone.
import {
  bulkBody,
  bulkPath,
  type HttpClient,
  headerRecord,
  requesterHeaders,
  type ShardAnswer,
  type ShardRequest,
  toWeirError,
} from '@weir/shared';
import { type CallPrimary, callDataNode } from '../bulk/call-primary.ts';
import type { ClientRequest } from '../bulk/send-unsplit.ts';
import { callBulk } from './bulk-call.ts';
import type { Upstream } from './upstream.ts';

export type AgentCallsParts = {
  readonly http: HttpClient;
  /** Open the agents' internal routes. */
  readonly internalHeaders: Readonly<Record<string, string>>;
  readonly upstream: Pick<Upstream, 'ask' | 'origins'>;
  /** Host and port of a node's own HTTP interface. */
  readonly httpAddress: (nodeId: string) => string | undefined;
  /** What to do without an agent, read at every call. */
  readonly onAgentLoss: () => 'direct' | 'refuse';
};

export function agentCalls(parts: AgentCallsParts): CallPrimary {
  const throughAgent = callDataNode(parts.http, (client) => ({
    ...headerRecord(requesterHeaders(client.rawHeaders)),
    ...parts.internalHeaders,
  }));
  return async (node, request, client) => {
    if (node.address === '') return withoutAgent(parts, node.id, request, client, 'it has no agent');
    try {
      return await throughAgent(node, request, client);
    } catch (thrown) {
      const { message, fields } = toWeirError(thrown);
      if (fields['sent'] !== false) throw thrown;
      return withoutAgent(parts, node.id, request, client, `its agent is gone: ${message}`);
    }
  };
}

/** Nothing judges it there: the node is unknown, and unknown is admitted and counted. */
async function withoutAgent(
  { upstream, httpAddress, onAgentLoss }: AgentCallsParts,
  nodeId: string,
  request: ShardRequest,
  client: ClientRequest,
  why: string,
): Promise<ShardAnswer | string> {
  if (onAgentLoss() === 'refuse')
    return { outcome: 'failed', code: 'unavailable', message: `node [${nodeId}] is not used, ${why}` };
  const address = httpAddress(nodeId);
  const scheme = upstream.origins[0]?.startsWith('https:') ? 'https' : 'http';
  const operations = request.operations.map(({ id }) => ({ index: request.index, id }));
  const { results } = await callBulk(
    upstream,
    {
      path: bulkPath(request, request.timeoutMs),
      rawHeaders: client.rawHeaders,
      body: bulkBody(request.index, request.operations),
      timeoutMs: request.timeoutMs,
      ...(address === undefined ? {} : { node: { origin: `${scheme}://${address}`, only: false } }),
    },
    operations,
  );
  return { outcome: 'applied', results: [...results] };
}
