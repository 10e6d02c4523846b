// Between guard and engine: may this write go to its replicas too? Asked while it can still be refused without any effect.
import {
  type Clock,
  type EffectiveSettings,
  type HttpClient,
  INTERNAL_PATHS,
  parseReserveAnswer,
  type ReserveAnswer,
  type ReserveRequest,
  watchesAnySignal,
} from '@weir/shared';
import type { Refused } from './admit-shard.ts';
import type { Admitted } from './admitted.ts';
import type { JudgedRequest } from './judged-request.ts';

export type ReservePorts = {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly settings: () => EffectiveSettings;
  readonly peer: (nodeId: string) => { readonly address: string } | undefined;
  readonly isCalm: (nodeId: string) => boolean;
  readonly headers: Readonly<Record<string, string>>;
};

/** The permit of each replica's node that gave one. */
export type Permits = ReadonlyMap<string, string>;

/** Sent with the parts of a write: each replica's node finds its own permit among them. */
export const PERMITS_HEADER = 'x-weir-permits';

export function permitHeaders(permits: Permits): Readonly<Record<string, string>> {
  return permits.size === 0 ? {} : { [PERMITS_HEADER]: [...permits.values()].join(',') };
}

/** A node that does not say so within this time is asked no more: whether it is there at all is not a matter of stress. */
const ASK_TIMEOUT_MS = 1_000;

/**
 * Runs `write` once with the permits that were needed, or refuses as the first node did that would not give one. Permits are given back
 * however the write ends; one whose return is lost ends by its time. Nodes that cannot be asked are left to replication.
 */
export async function withPermits<T>(
  request: Admitted<JudgedRequest>,
  replicaNodes: readonly string[],
  holdMs: number,
  ports: ReservePorts,
  write: (permits: Permits) => Promise<T>,
): Promise<T | Refused> {
  const asked = nodesToAsk(replicaNodes, ports);
  if (asked.length === 0) return write(new Map());
  const answers = await Promise.all(asked.map((id) => ask(id, request, holdMs, ports)));
  const permits = new Map<string, string>();
  let refused: Refused | undefined;
  asked.forEach((id, position) => {
    const answer = answers[position];
    if (answer?.outcome === 'granted') permits.set(id, answer.permit);
    else if (answer !== undefined) refused ??= answer;
  });
  try {
    return refused ?? (await write(permits));
  } finally {
    for (const [id, permit] of permits) void call(id, INTERNAL_PATHS.release, { permit }, ports);
  }
}

/** With every signal disabled no node is known to be calm, and none would refuse: then `auto` asks none. */
function nodesToAsk(nodes: readonly string[], { settings, isCalm }: ReservePorts): readonly string[] {
  const { reserve } = settings().replication;
  if (reserve === 'always') return nodes;
  if (reserve === 'never' || !watchesAnySignal(settings())) return [];
  return nodes.filter((id) => !isCalm(id));
}

async function ask(
  id: string,
  { index, shard, operationCount, bytes, contentDigest, requestId, bulkId }: Admitted<JudgedRequest>,
  holdMs: number,
  ports: ReservePorts,
): Promise<ReserveAnswer | undefined> {
  const request: ReserveRequest = {
    ...{
      index,
      shard,
      bytes,
      operations: operationCount,
      request_id: requestId,
      bulk_id: bulkId,
      hold_ms: holdMs,
    },
    digest: contentDigest(),
  };
  const body = await call(id, INTERNAL_PATHS.reserve, request, ports);
  return body && parseReserveAnswer(body);
}

/** The body of the answer; undefined where none came. Never rejects. */
async function call(
  id: string,
  path: string,
  body: object,
  { http, peer, headers }: ReservePorts,
): Promise<Buffer | undefined> {
  const node = peer(id);
  if (node === undefined) return undefined;
  const answer = await http
    .call({
      ...{
        origin: node.address,
        path,
        method: 'POST',
        body: JSON.stringify(body),
        timeoutMs: ASK_TIMEOUT_MS,
      },
      headers: { ...headers, 'content-type': 'application/json' },
    })
    .catch(() => undefined);
  return answer?.body;
}
