import { describe, expect, it } from '@jest/globals';
import {
  type EffectiveSettings,
  type HttpCall,
  type HttpClient,
  type NodeStats,
  WeirError,
} from '@weir/shared';
import { DEFAULT_SETTINGS, ManualClock, seededRng } from '@weir/shared/testing';
import { callReplica, type ReplicaFate } from './call-replica.ts';

const copy = { node: 'id-2', allocation_id: 'a2' };
const stats: NodeStats = {
  ...{ id: 'id-2', name: 'dn2', address: 'http://dn2', boot_id: 'b', seq: 1, draining: false, signals: {} },
  ...{ work: 0, operations_waiting: 0, oldest_waiting_ms: 0, drain_per_s: null, accepted_total: 0 },
  completed_total: 0,
  in_flight_bytes: { coordinating: 0, primary: 0, replica: 0 },
  limit_bytes: { primary: 0, replica: 0 },
  settings_version: 0,
};
const applied = { outcome: 'applied', results: [], stats };
const refused = (permanent = false) => ({
  outcome: 'refused',
  permanent,
  decisionId: 'd',
  evidence: {
    ...{ reason: 'replica_limit', role: 'replica', node: 'dn2', signal: 'queue', value: 700, limit: 600 },
    ...{ stress: 0.5, ageMs: 0, retryAfterMs: 1_000 },
  },
  stats,
});
const failed = (code: string) => ({ outcome: 'failed', code, message: `said ${code}`, stats });

type Scripted = object | WeirError;

/** A replica that answers by script, its last line again and again, on a clock moved by hand. */
function scene(
  script: readonly Scripted[],
  replication: Partial<EffectiveSettings['replication']> = {},
  isHeard = true,
) {
  const clock = new ManualClock();
  const calls: (HttpCall & { atMs: number })[] = [];
  const http: HttpClient = {
    async call(call) {
      const answer = script[Math.min(calls.length, script.length - 1)];
      calls.push({ ...call, atMs: clock.nowMs() });
      if (answer instanceof WeirError) throw answer;
      return { status: 200, body: Buffer.from(JSON.stringify(answer)) };
    },
    async close() {},
  };
  const closing = new AbortController();
  const settings = {
    ...DEFAULT_SETTINGS,
    replication: { ...DEFAULT_SETTINGS.replication, ...replication },
  };
  const ports = {
    ...{ http, clock, timers: clock, rng: seededRng(3), settings: () => settings, headers: { a: 'b' } },
    ...{ closing: closing.signal, replicaTimeoutMs: 45_000 },
    peer: (id: string) => (id === copy.node ? { name: 'dn2', address: 'http://dn2', isHeard } : undefined),
  };
  const run = async (to = copy): Promise<ReplicaFate> => {
    let fate: ReplicaFate | undefined;
    const end = callReplica(to, Buffer.from('frame'), ports).then((settled) => {
      fate = settled;
    });
    while (fate === undefined) {
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      clock.advance(1);
    }
    await end;
    return fate;
  };
  return { run, calls, clock, closing };
}

const unreachable = new WeirError('bad_gateway', 'POST http://dn2: ECONNREFUSED', {
  fields: { sent: false },
});

describe('a replica’s part of a write', () => {
  it('is brought once when all is well, with the headers of the cluster and a part of the replica’s time', async () => {
    const { run, calls } = scene([applied]);
    expect(await run()).toEqual({ kind: 'applied' });
    expect(calls).toMatchObject([
      {
        origin: 'http://dn2',
        path: '/_weir/internal/replica',
        headers: { a: 'b' },
        timeoutMs: 15_000,
      },
    ]);
  });

  it('J1: is brought again after a refusal with random waits that double', async () => {
    const { run, calls } = scene([refused(), refused(), refused(), applied]);
    expect(await run()).toEqual({ kind: 'applied' });
    const waits = calls.slice(1).map((call, after) => call.atMs - (calls[after]?.atMs ?? 0));
    expect(waits).toHaveLength(3);
    for (const [attempt, boundMs] of [50, 100, 200].entries()) {
      expect(waits[attempt]).toBeGreaterThanOrEqual(1);
      expect(waits[attempt]).toBeLessThanOrEqual(boundMs + 1);
    }
  });

  it('J3: is given up by the first refusal at or after the retry timeout', async () => {
    const { run, calls } = scene([refused()], { retryTimeoutMs: 2_000 });
    expect(await run()).toMatchObject({
      kind: 'lost',
      status: 'TOO_MANY_REQUESTS',
      type: 'rejected_execution_exception',
      reason: 'replica on [dn2] refused: replica_limit, queue 700, limit 600',
    });
    const last = calls.at(-1)?.atMs ?? 0;
    expect(last).toBeGreaterThanOrEqual(2_000);
    expect(calls.filter(({ atMs }) => atMs >= 2_000)).toHaveLength(1);
  });

  it('is given up by the first refusal where the setting says fail_copy', async () => {
    const { run, calls } = scene([refused()], { onReplicaRefusal: 'fail_copy' });
    expect(await run()).toMatchObject({ kind: 'lost' });
    expect(calls).toHaveLength(1);
  });

  it('is brought a second time with the word to let it pass where the setting says so, or it is too large for ever', async () => {
    const bySetting = scene([refused(), applied], { onReplicaRefusal: 'let_pass' });
    const tooLarge = scene([refused(true), applied]);
    for (const { run, calls } of [bySetting, tooLarge]) {
      expect(await run()).toEqual({ kind: 'applied' });
      expect(calls.map(({ path }) => path)).toEqual([
        '/_weir/internal/replica',
        '/_weir/internal/replica?let_pass=true',
      ]);
    }
  });

  it('C071: is given up after three tries at a node that is silent or broken', async () => {
    const silent = new WeirError('gateway_timeout', 'POST http://dn2: no answer within 15000 ms');
    const outcomes = [
      { script: [silent], status: 'GATEWAY_TIMEOUT' },
      { script: [failed('internal')], status: 'INTERNAL_SERVER_ERROR' },
      { script: [{ hello: 'world' }], status: 'BAD_GATEWAY' },
    ];
    for (const { script, status } of outcomes) {
      const { run, calls } = scene(script);
      expect(await run()).toMatchObject({ kind: 'lost', status });
      expect(calls).toHaveLength(3);
    }
  });

  it('waits 10 s for a node that was heard and takes no connections, and for one not heard yet until one try’s time is left', async () => {
    for (const { isHeard, waitedMs } of [
      { isHeard: true, waitedMs: 10_000 },
      { isHeard: false, waitedMs: 30_000 },
    ]) {
      const { run, calls } = scene([unreachable], {}, isHeard);
      expect(await run()).toMatchObject({ kind: 'lost', status: 'BAD_GATEWAY' });
      const [first, last] = [calls[0]?.atMs ?? 0, calls.at(-1)?.atMs ?? 0];
      expect(Math.round((last - first) / 1_000) * 1_000).toBe(waitedMs);
    }
    const { run, calls, clock } = scene([applied]);
    expect(await run({ ...copy, node: 'nobody' })).toMatchObject({
      kind: 'lost',
      status: 'SERVICE_UNAVAILABLE',
    });
    expect([calls.length, clock.nowMs() >= 30_000]).toEqual([0, true]);
  });

  it('is brought again after a passing failure', async () => {
    const { run, calls } = scene([unreachable, failed('no_shard_available'), applied]);
    expect([await run(), calls.length]).toEqual([{ kind: 'applied' }, 3]);
  });

  it('tells at once that this node is no longer the primary when the replica knows a newer term', async () => {
    const { run, calls } = scene([failed('version_conflict')]);
    expect(await run()).toEqual({ kind: 'stale', reason: 'said version_conflict' });
    expect(calls).toHaveLength(1);
  });

  it('stays unsettled when this node stops meanwhile', async () => {
    const { run, clock, closing } = scene([refused()]);
    clock.after(500, () => closing.abort());
    expect(await run()).toMatchObject({ kind: 'unsettled' });
  });
});
