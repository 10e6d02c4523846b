// How a shard request reaches the node of its primary: through the agent beside it, or straight to the node where the agent is gone.
import {
  bulkBody,
  bulkPath,
  bulkResults,
  decodeShardBulkAnswer,
  encodeShardBulk,
  type HttpClient,
  headerRecord,
  INTERNAL_PATHS,
  type NamedOperation,
  requesterHeaders,
  type ShardAnswer,
  type ShardRequest,
  toWeirError,
  waitsForMore,
  whyUnacknowledged,
} from '@weir/shared';
import type { WhoReports } from '../bulk/bulk-dependencies.ts';
import { type CallPrimary, callPrimaryBy, type PrimaryForm } from '../bulk/call-primary.ts';
import type { ClientRequest } from '../bulk/send-unsplit.ts';
import { askBulk } from './bulk-call.ts';
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
  const throughAgent = callPrimaryBy(AGENT_FORM, parts.http, (client) => ({
    ...headerRecord(requesterHeaders(client.rawHeaders)),
    ...parts.internalHeaders,
  }));
  return async (target, request, client) => {
    const { node } = target;
    if (node.address === '') return withoutAgent(parts, node.id, request, client, 'it has no agent');
    try {
      return await throughAgent(target, request, client);
    } catch (thrown) {
      const { message, fields } = toWeirError(thrown);
      if (fields['sent'] !== false) throw thrown;
      return withoutAgent(parts, node.id, request, client, `its agent is gone: ${message}`);
    }
  };
}

/** An agent publishes what came through it, and replicas' parts do not; nor does it count what waits for more than its node's work. */
export const agentsReport: WhoReports = (copies, asked) => (waitsForMore(asked) ? [] : copies.slice(0, 1));

type Told = Extract<ShardAnswer, { outcome: 'applied' | 'failed' }>;

/** The agent hands on a bulk that is written here, and its node's answer comes back to be read here. */
const AGENT_FORM: PrimaryForm = {
  path: INTERNAL_PATHS.bulk,
  encode: encodeShardBulk,
  decode(body, request) {
    const answer = decodeShardBulkAnswer(body);
    return answer?.outcome === 'applied' ? { ...resultsOf(answer, request), stats: answer.stats } : answer;
  },
};

/** An answer that leaves open what was done is no result: what comes after it for the same ids must not be sent. */
function resultsOf(answer: { readonly status: number; readonly body: Buffer }, request: ShardRequest): Told {
  try {
    return { outcome: 'applied', results: [...bulkResults(answer, named(request))] };
  } catch (thrown) {
    return unanswered(thrown);
  }
}

/** Throws on where nothing of the request can have arrived, so that it is tried again. */
function unanswered(thrown: unknown): Told {
  const { code, message, fields } = toWeirError(thrown);
  if (fields['sent'] === false) throw thrown;
  return { outcome: 'failed', code, message: whyUnacknowledged(message) };
}

function named({ index, operations }: ShardRequest): readonly NamedOperation[] {
  return operations.map(({ id }) => ({ index, id }));
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
  const call = {
    path: bulkPath(request, request.timeoutMs),
    rawHeaders: client.rawHeaders,
    body: bulkBody(request.index, request.operations),
    timeoutMs: request.timeoutMs,
    ...(address === undefined ? {} : { node: { origin: `${scheme}://${address}`, only: false } }),
  };
  try {
    return resultsOf(await askBulk(upstream, call), request);
  } catch (thrown) {
    return unanswered(thrown);
  }
}
