// Data nodes behind the HttpClient port for tests: they read real frames, remember them, and answer as a test says.
import {
  decodeShardRequest,
  type Evidence,
  type HttpCall,
  type HttpClient,
  type ItemResult,
  type NodeStats,
  type ShardAnswer,
  type ShardRequest,
} from '@weir/shared';

/** Stats of a calm node. */
export function calmStats(id: string, change: Partial<NodeStats> = {}): NodeStats {
  const idle = { fast: 1, slow: 1, quality: 'ok' as const };
  return {
    id,
    name: id,
    address: `http://${id}`,
    boot_id: 'boot',
    seq: 1,
    draining: false,
    signals: { cpu: idle, heap: idle, io: idle, event_loop: idle },
    work: 0,
    operations_waiting: 0,
    oldest_waiting_ms: 0,
    drain_per_s: 10_000,
    accepted_total: 0,
    completed_total: 0,
    in_flight_bytes: { coordinating: 0, primary: 0, replica: 0 },
    limit_bytes: { primary: 1e8, replica: 1.5e8 },
    settings_version: 0,
    ...change,
  };
}

/** Stats of a node whose queue is far over every limit. */
export function stressedStats(id: string, change: Partial<NodeStats> = {}): NodeStats {
  return calmStats(id, { work: 1e6, operations_waiting: 1e6, drain_per_s: 1, ...change });
}

/** What a node makes of a call: an answer, a body that is none, or an error thrown. */
export type Behave = (
  request: ShardRequest,
  node: string,
) => ShardAnswer | Buffer | Promise<ShardAnswer | Buffer>;

export function created(): ItemResult {
  const shards = { total: 2, successful: 2, failed: 0 };
  return { ok: true, status: 201, result: 'created', version: 1, seqNo: 0, primaryTerm: 1, shards };
}

export function applied(request: ShardRequest, node: string): ShardAnswer {
  return { outcome: 'applied', results: request.operations.map(created), stats: calmStats(node) };
}

export function refused(evidence: Partial<Evidence>, permanent = false): Behave {
  return (_request, node) => ({
    outcome: 'refused',
    evidence: {
      reason: 'primary_limit',
      role: 'primary',
      node,
      signal: 'queue',
      value: 520,
      limit: 400,
      stress: 0.9,
      ageMs: 0,
      retryAfterMs: 1_200,
      ...evidence,
    },
    permanent,
    decisionId: 'd-1',
    stats: calmStats(node, { seq: 2 }),
  });
}

export class FakeDataNodes implements HttpClient {
  /** Every shard request that arrived, in order. */
  readonly requests: (ShardRequest & { readonly node: string })[] = [];
  readonly calls: HttpCall[] = [];
  readonly #behaviours = new Map<string, Behave>();

  /** `node` is an id; its address is `http://<id>`. */
  behave(node: string, behave: Behave): void {
    this.#behaviours.set(node, behave);
  }

  async call(call: HttpCall): Promise<{ status: number; body: Buffer }> {
    const node = call.origin.replace('http://', '');
    const request = decodeShardRequest(Buffer.from(call.body ?? ''));
    this.calls.push(call);
    this.requests.push({ ...request, node });
    const answer = await (this.#behaviours.get(node) ?? applied)(request, node);
    return Buffer.isBuffer(answer)
      ? { status: 500, body: answer }
      : { status: 200, body: Buffer.from(JSON.stringify(answer)) };
  }

  async close(): Promise<void> {}
}
