import { describe, expect, it } from '@jest/globals';
import {
  CALM,
  createMetrics,
  type EffectiveSettings,
  type HttpCall,
  type HttpClient,
  IndexingPressure,
  type IndexMetadata,
  type ItemResult,
  type NodeStats,
  type ShardAnswer,
  WeirError,
} from '@weir/shared';
import { DEFAULT_SETTINGS, ManualClock, seededRng } from '@weir/shared/testing';
import type { Engine, PrimaryOutcome } from '../engine/engine.ts';
import { shardRequest } from '../testing/requests.ts';
import { Guard } from './admit-shard.ts';
import { handlePrimary } from './handle-primary.ts';
import type { ShardPorts } from './shard-ports.ts';

const stats: NodeStats = {
  ...{ id: 'id-2', name: 'dn2', address: 'http://dn2', boot_id: 'b', seq: 1, draining: false, signals: {} },
  ...{ work: 0, operations_waiting: 0, oldest_waiting_ms: 0, drain_per_s: null, accepted_total: 0 },
  completed_total: 0,
  in_flight_bytes: { coordinating: 0, primary: 0, replica: 0 },
  limit_bytes: { primary: 0, replica: 0 },
  settings_version: 0,
};
const applied = { outcome: 'applied', results: [], stats };

function metadataWith(shard: Partial<IndexMetadata['shards'][number]>): IndexMetadata {
  return {
    ...{ name: 'logs', uuid: 'u', created_wall_ms: 0, number_of_shards: 1, number_of_replicas: 1 },
    ...{ routing_num_shards: 1, routing_partition_size: 1, settings: {}, mappings: {} },
    shards: [
      {
        primary_term: 1,
        primary: { node: 'id-1', allocation_id: 'a1' },
        replicas: [{ node: 'id-2', allocation_id: 'a2' }],
        lost: [],
        ...shard,
      },
    ],
  };
}

const created = (seqNo: number): ItemResult => ({
  ...{ ok: true, status: 201, result: 'created', version: 1, seqNo, primaryTerm: 1 },
  shards: { total: 1, successful: 1, failed: 0 },
});
const brokenItem: ItemResult = {
  ok: false,
  status: 400,
  error: { type: 'mapper_parsing_exception', reason: 'no' },
};
const replicaOperation = (seqNo: number) => ({
  ...{ kind: 'index' as const, id: `d${seqNo}`, routing: undefined, source: Buffer.from('{}') },
  ...{ version: 1, seqNo, primaryTerm: 1 },
});

type Given = {
  metadata?: IndexMetadata | undefined;
  results?: readonly ItemResult[];
  apply?: () => Promise<PrimaryOutcome>;
  replica?: (call: HttpCall) => Promise<object>;
  drop?: () => Promise<'dropped' | 'stale'>;
  reread?: () => Promise<void>;
  settings?: EffectiveSettings;
  isCalm?: boolean;
};

/** A primary on a clock moved by hand, with an engine and a replica that do as they are told. */
function scene(given: Given = {}) {
  const clock = new ManualClock();
  const events: string[] = [];
  const state = { metadata: 'metadata' in given ? given.metadata : metadataWith({}) };
  const settings = given.settings ?? DEFAULT_SETTINGS;
  const pressure = new IndexingPressure(() => ({ primary: 1e6, replica: 1e6 }));
  const results = given.results ?? [created(0)];
  const operations = results.flatMap((result) => (result.ok ? [replicaOperation(result.seqNo)] : []));
  const http: HttpClient = {
    async call(call) {
      events.push(call.path);
      return { status: 200, body: Buffer.from(JSON.stringify((await given.replica?.(call)) ?? applied)) };
    },
    async close() {},
  };
  const engine = {
    async openCopy() {},
    async applyPrimary() {
      events.push('applied');
      return given.apply?.() ?? { results, replicaOperations: operations };
    },
  } as Pick<Engine, 'applyPrimary' | 'openCopy'> as Engine;
  const ports: ShardPorts = {
    ...{ http, engine, clock, timers: clock, rng: seededRng(1), settings: () => settings, headers: {} },
    ...{ nodeId: 'id-1', replicaTimeoutMs: 45_000, primaryTimeoutMs: 50_000 },
    peer: (id) => (id === 'id-2' ? { name: 'dn2', address: 'http://dn2', isHeard: true } : undefined),
    isCalm: () => given.isCalm ?? true,
    closing: new AbortController().signal,
    guard: new Guard({
      ...{ node: 'dn1', clock, salt: 1, settings: () => settings, pressure, stressOf: () => CALM },
      recorder: { record: () => '' },
      isDraining: () => false,
      freeDiskBytes: () => undefined,
    }),
    table: {
      get: () => state.metadata,
      refresh: async () => {
        events.push('reread');
        await given.reread?.();
      },
    },
    inSync: {
      lacksWrite: () => false,
      drop: async () => {
        events.push('dropped');
        return (await given.drop?.()) ?? 'dropped';
      },
    },
    beginWork: () => () => {},
    stats: () => stats,
    seconds: createMetrics({ service: 'datanode', version: '0', startedWallMs: 0 }).shardRequestSeconds,
  };
  const run = async (request = shardRequest({})): Promise<ShardAnswer> => {
    let answer: ShardAnswer | undefined;
    const end = handlePrimary(request, ports).then((given) => {
      answer = given;
    });
    while (answer === undefined) {
      for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
      clock.advance(1);
    }
    await end;
    return answer;
  };
  return { run, events, clock, pressure, state };
}

const unreachable = () => Promise.reject(new WeirError('bad_gateway', 'ECONNREFUSED'));
const itemsOf = (answer: ShardAnswer) => (answer.outcome === 'applied' ? answer.results : answer);

describe('a shard request at its primary', () => {
  it('is acknowledged with the copies it is on', async () => {
    const { run, events } = scene();
    expect(itemsOf(await run())).toMatchObject([
      { ok: true, status: 201, shards: { total: 2, successful: 2, failed: 0 } },
    ]);
    expect(events).toEqual(['applied', '/_weir/internal/replica']);
  });

  it('C064: goes on when single operations fail: the others are replicated and acknowledged', async () => {
    const { run } = scene({ results: [created(0), brokenItem, created(1)] });
    expect(itemsOf(await run())).toMatchObject([
      { status: 201, shards: { successful: 2 } },
      brokenItem,
      { status: 201, shards: { successful: 2 } },
    ]);
  });

  it('asks no replica when no operation went through', async () => {
    const { run, events } = scene({ results: [brokenItem] });
    expect(itemsOf(await run())).toEqual([brokenItem]);
    expect(events).toEqual(['applied']);
  });

  it('I3: is acknowledged without a lost replica only after the metadata says so, and names it', async () => {
    const { run, events } = scene({ replica: unreachable });
    expect(itemsOf(await run())).toMatchObject([
      {
        status: 201,
        shards: {
          ...{ total: 2, successful: 1, failed: 1 },
          failures: [
            {
              node: 'id-2',
              status: 'BAD_GATEWAY',
              primary: false,
              reason: { type: 'bad_gateway_exception', reason: 'ECONNREFUSED' },
            },
          ],
        },
      },
    ]);
    expect(events.at(-1)).toBe('dropped');
  });

  it('C062: is not acknowledged when a replica is lost and the metadata cannot be changed', async () => {
    const drop = () => Promise.reject(new WeirError('unavailable', 'the bus does not answer'));
    const { run } = scene({ replica: unreachable, drop, results: [created(0), brokenItem] });
    expect(itemsOf(await run())).toMatchObject([
      {
        ok: false,
        status: 503,
        error: {
          ...{ type: 'unavailable_shards_exception', index: 'logs', shard: '0', index_uuid: 'u' },
          reason:
            '[logs][0] the write is not acknowledged and may have been applied: a replica failed (ECONNREFUSED) and could not be taken out of the in-sync set: the bus does not answer',
        },
      },
      brokenItem,
    ]);
  });

  it('is not acknowledged when a replica, or the metadata, knows a newer primary', async () => {
    const conflict = {
      outcome: 'failed',
      code: 'version_conflict',
      message: 'term 1 is older than 2',
      stats,
    };
    const told = scene({ replica: async () => conflict });
    const found = scene({ replica: unreachable, drop: async () => 'stale' });
    for (const { run } of [told, found]) expect(itemsOf(await run())).toMatchObject([{ status: 503 }]);
  });

  it('is not acknowledged, nor replicated, when another node became primary while it was applied', async () => {
    const made = scene({
      apply: async () => {
        made.state.metadata = metadataWith({
          primary_term: 2,
          primary: { node: 'id-9', allocation_id: 'a9' },
        });
        return { results: [created(0)], replicaOperations: [replicaOperation(0)] };
      },
    });
    expect(itemsOf(await made.run())).toMatchObject([{ status: 503 }]);
    expect(made.events).toEqual(['applied']);
  });

  it('is fenced, with nothing applied, when its term is old or newer than what is known after a fresh look', async () => {
    for (const primaryTerm of [1, 3]) {
      const { run, events } = scene({ metadata: metadataWith({ primary_term: 2 }) });
      expect(await run(shardRequest({ primaryTerm }))).toMatchObject({
        outcome: 'failed',
        code: 'no_shard_available',
        message: `[logs][0]: node [id-1] is not its primary in term [${primaryTerm}]`,
      });
      expect(events).toEqual(['reread']);
    }
  });

  it('is turned away in its own time when the bus neither answers nor fails', async () => {
    const { run, clock } = scene({ metadata: undefined, reread: () => new Promise(() => {}) });
    expect(await run(shardRequest({ timeoutMs: 1_000 }))).toMatchObject({ code: 'index_not_found' });
    expect(clock.nowMs()).toBeLessThan(1_000);
  });

  it('fails as an unknown index only after the metadata was read anew', async () => {
    const { run, events } = scene({ metadata: undefined });
    expect(await run()).toMatchObject({ outcome: 'failed', code: 'index_not_found' });
    expect(events).toEqual(['reread']);
  });

  it('fails with the engine’s own code when nothing could be applied', async () => {
    const { run } = scene({ apply: () => Promise.reject(new WeirError('disk_full', 'no room')) });
    expect(await run()).toMatchObject({ outcome: 'failed', code: 'disk_full', message: 'no room' });
  });

  it('is answered in the client’s time as not acknowledged, goes on, and holds its bytes until it is settled', async () => {
    let settle: (answer: object) => void = () => {};
    const { run, pressure, clock } = scene({
      replica: () =>
        new Promise((resolve) => {
          settle = resolve;
        }),
    });
    const request = shardRequest({ timeoutMs: 1_000 });
    expect(itemsOf(await run(request))).toMatchObject([{ status: 503 }]);
    expect(clock.nowMs()).toBeGreaterThanOrEqual(900);
    expect(clock.nowMs()).toBeLessThan(1_000);
    expect(pressure.report().currentBytes.primary).toBe(request.bytes);
    settle(applied);
    for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
    expect(pressure.report().currentBytes.primary).toBe(0);
  });
});

describe('copies that must be active before the write', () => {
  const alive = async () => ({});

  it('I3, I2: are none for 0 and all for "all"', async () => {
    const none = scene();
    await none.run(shardRequest({ waitForActiveShards: 0 }));
    expect(none.events).not.toContain('/livez');
    const all = scene({ replica: alive });
    await all.run(shardRequest({ waitForActiveShards: 'all', timeoutMs: 500 }));
    expect(all.events.slice(0, 2)).toEqual(['/livez', 'applied']);
  });

  it('I7, C069: are waited for until the timeout; then nothing is stored and the reason carries both numbers', async () => {
    const unassigned = scene({ metadata: metadataWith({ replicas: [] }) });
    const down = scene({ replica: unreachable });
    for (const { run, events, clock } of [unassigned, down]) {
      expect(await run(shardRequest({ waitForActiveShards: 'all', timeoutMs: 1_000 }))).toMatchObject({
        outcome: 'failed',
        code: 'unavailable_shards',
        message: expect.stringContaining('shard count of [all] (have 1, needed 2)'),
      });
      expect(events).not.toContain('applied');
      expect(clock.nowMs()).toBeGreaterThan(700);
      expect(clock.nowMs()).toBeLessThan(1_000);
    }
    const one = scene({ metadata: metadataWith({ replicas: [] }) });
    expect(itemsOf(await one.run(shardRequest({ waitForActiveShards: 1 })))).toMatchObject([{ status: 201 }]);
  });

  it('asks a replica that is not known to be calm first, and is refused as that one refuses, before anything is applied', async () => {
    const evidence = {
      ...{ reason: 'replica_limit', role: 'replica', node: 'dn2', signal: 'queue', value: 700, limit: 600 },
      ...{ stress: 0.5, ageMs: 0, retryAfterMs: 1_000 },
    };
    const replica = async () => ({ outcome: 'refused', permanent: false, decisionId: 'd', evidence });
    const { run, events, pressure } = scene({ isCalm: false, replica });
    expect(await run()).toMatchObject({
      outcome: 'refused',
      evidence: { reason: 'replica_limit', node: 'dn2' },
    });
    expect(events).toEqual(['/_weir/internal/reserve']);
    expect(pressure.report().currentBytes.primary).toBe(0);
  });

  it('brings the part with the permit it was given, and gives that back in the end', async () => {
    let permits: unknown;
    const replica = async ({ path, headers }: HttpCall) => {
      if (path.includes('/replica')) permits = headers?.['x-weir-permits'];
      return path.includes('reserve') ? { outcome: 'granted', permit: 'p' } : applied;
    };
    const { run, events } = scene({ isCalm: false, replica });
    expect(await run()).toMatchObject({ outcome: 'applied' });
    expect(permits).toBe('p');
    expect(events).toEqual([
      '/_weir/internal/reserve',
      'applied',
      '/_weir/internal/replica',
      '/_weir/internal/release',
    ]);
  });
});
