import { describe, expect, it } from '@jest/globals';
import {
  createMetrics,
  type EffectiveSettings,
  IndexingPressure,
  operationBytes,
  RecordDecisions,
  type SignalReadings,
  StressStates,
} from '@weir/shared';
import {
  DEFAULT_SETTINGS,
  ManualClock,
  seededRng,
  settingsWith,
  withMode,
  withSignal,
} from '@weir/shared/testing';
import { indexOperation, replicaRequest, shardRequest } from '../testing/requests.ts';
import { Guard, type Refused } from './admit-shard.ts';
import { judged } from './judged-request.ts';

const L = 10_240;
const everythingAtZero = { primary: { soft: 0, hard: 0 }, replica: { soft: 0, hard: 0 } };

/** Limit 0 as the conformance cases mean it: a step at 0 that may refuse everything. */
function cpuAtZero(settings: EffectiveSettings = settingsWith({ corroborate: false, maxShedRatio: 1 })) {
  return withSignal(settings, 'cpu', { limits: everythingAtZero });
}

function guardOf(given: {
  settings?: EffectiveSettings;
  cpu?: number;
  readings?: SignalReadings;
  draining?: boolean;
  freeDiskBytes?: number;
}) {
  const clock = new ManualClock(1_000);
  const settings = given.settings ?? DEFAULT_SETTINGS;
  const stress = new StressStates();
  const cpu =
    given.cpu === undefined ? {} : { cpu: { fast: given.cpu, slow: given.cpu, quality: 'ok' as const } };
  stress.observe(given.readings ?? cpu, clock.nowMs(), settings);
  const pressure = new IndexingPressure(() => ({ primary: L, replica: L * 1.5 }));
  const recorder = new RecordDecisions({
    metrics: createMetrics({ service: 'datanode', version: '0', startedWallMs: 0 }),
    log: { info() {}, warn() {} },
    clock,
    timers: clock,
    rng: seededRng(1),
    linesPerSecond: () => 0,
  });
  const guard = new Guard({
    node: 'dn1',
    clock,
    salt: 1,
    settings: () => settings,
    stressOf: (role) => stress.stressOf(role, undefined, clock.nowMs(), settings),
    pressure,
    recorder,
    isDraining: () => given.draining ?? false,
    freeDiskBytes: () => given.freeDiskBytes,
  });
  return { guard, pressure, recorder };
}

const sized = (bytes: number) => judged(shardRequest({ bytes }));
const pass = () => Promise.resolve('ran' as const);
const reasonOf = (result: Refused | 'ran') => (result === 'ran' ? result : result.evidence.reason);

describe('the guard', () => {
  it('A24: runs an admitted request once', async () => {
    let runs = 0;
    const result = await guardOf({}).guard.primary(sized(100), async () => (runs += 1));
    expect([result, runs]).toEqual([1, 1]);
  });

  it('A25: never runs a refused one and answers once, with the evidence', async () => {
    const { guard } = guardOf({ settings: cpuAtZero(), cpu: 10 });
    let runs = 0;
    const result = await guard.primary(sized(100), async () => (runs += 1));
    expect(runs).toBe(0);
    expect(result).toMatchObject({
      outcome: 'refused',
      permanent: false,
      evidence: { reason: 'primary_limit', role: 'primary', node: 'dn1', signal: 'cpu', value: 10, limit: 0 },
    });
  });

  it('A5: counts one shard request once, whatever its number of operations', async () => {
    const { guard, recorder } = guardOf({ settings: cpuAtZero(), cpu: 10 });
    const operations = ['a', 'b', 'c'].map((id) => indexOperation(id));
    await guard.primary(judged(shardRequest({ operations })), pass);
    expect(recorder.admissionControlStats()).toMatchObject({
      global_cpu_usage: { transport: { rejection_count: { indexing: 1 } } },
      global_io_usage: { transport: { rejection_count: {} } },
    });
  });

  it('A6, A7: admits 10 and 94.99 at a step at 95, refuses 95.0', async () => {
    const step = { primary: { soft: 95, hard: 95 }, replica: { soft: 95, hard: 95 } };
    const settings = withSignal(
      settingsWith({ corroborate: false, maxShedRatio: 1, leaveMargin: 0 }),
      'cpu',
      {
        limits: step,
      },
    );
    const results = [10, 94.99, 95].map((cpu) => guardOf({ settings, cpu }).guard.primary(sized(1), pass));
    expect((await Promise.all(results)).map(reasonOf)).toEqual(['ran', 'ran', 'primary_limit']);
  });

  it('A8, A28: does not refuse for a signal it knows nothing of, not even at limit 0', async () => {
    const unknown = { cpu: { fast: 99, slow: 99, quality: 'unavailable' as const } };
    for (const readings of [{}, unknown])
      expect(await guardOf({ settings: cpuAtZero(), readings }).guard.primary(sized(1), pass)).toBe('ran');
  });

  it('A13: in monitor_only runs the request and counts it as one that would be refused', async () => {
    const { guard, recorder } = guardOf({ settings: withMode(cpuAtZero(), 'monitor_only'), cpu: 10 });
    expect(await guard.primary(sized(1), pass)).toBe('ran');
    expect(recorder.admissionControlStats()).toMatchObject({
      global_cpu_usage: { transport: { rejection_count: {}, would_refuse_count: { indexing: 1 } } },
    });
  });

  it('lets a replica’s part through above its limit when its primary says so, and counts its bytes', async () => {
    const { guard, pressure } = guardOf({ settings: cpuAtZero(), cpu: 10 });
    expect(reasonOf(await guard.replica(replicaRequest(10), false, pass))).toBe('replica_limit');
    const held = await guard.replica(replicaRequest(L * 2), true, async () => pressure.report().currentBytes);
    expect(held).toMatchObject({ replica: L * 2 });
  });

  it('turns away new work but finishes replicas’ parts while it drains', async () => {
    const { guard } = guardOf({ draining: true });
    expect(reasonOf(await guard.primary(sized(1), pass))).toBe('draining');
    expect(await guard.replica(replicaRequest(1), false, pass)).toBe('ran');
  });

  it('refuses what the disk has no room for, and not while the room is unknown', async () => {
    const { guard } = guardOf({ freeDiskBytes: 1_000 });
    expect(reasonOf(await guard.primary(sized(1), pass))).toBe('disk_full');
    expect(await guardOf({}).guard.primary(sized(1), pass)).toBe('ran');
  });
});

describe('bytes in flight at the guard', () => {
  const holding = async (bytes: { primary: number; replica: number }) => {
    const made = guardOf({});
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const held = [
      made.guard.primary(sized(bytes.primary), () => ended),
      made.guard.replica(replicaRequest(bytes.replica), false, () => ended),
    ];
    return { ...made, end, held };
  };

  it('C4, C5: refuses the request that would pass the limit together with all that is held, and charges bytes', async () => {
    const { guard, pressure, end, held } = await holding({ primary: 6 * 1024, replica: 3 * 1024 });
    const refused = await guard.primary(sized(2 * 1024), pass);
    expect(refused).toMatchObject({
      permanent: false,
      evidence: { reason: 'primary_bytes', signal: 'bytes', value: 11 * 1024, limit: L },
    });
    expect(pressure.combinedBytes).toBe(6 * 1024);
    expect(pressure.report().rejections).toEqual({ coordinating: 0, primary: 1, replica: 0 });
    end();
    await Promise.all(held);
    expect(pressure.report().currentBytes).toEqual({ coordinating: 0, primary: 0, replica: 0 });
  });

  it('C12: takes exactly the limit and not one byte more', async () => {
    expect(await guardOf({}).guard.primary(sized(L), pass)).toBe('ran');
    expect(reasonOf(await guardOf({}).guard.primary(sized(L + 1), pass))).toBe('primary_bytes');
  });

  it('C15: calls a request that alone is over the limit permanent, with its size and the limit', async () => {
    const refused = await guardOf({}).guard.primary(sized(54_215_758), pass);
    expect(refused).toMatchObject({ permanent: true, evidence: { value: 54_215_758, limit: L } });
  });

  it('are charged before a signal that would refuse as well', async () => {
    const { guard, recorder } = guardOf({ settings: cpuAtZero(), cpu: 10 });
    expect(reasonOf(await guard.primary(sized(L + 1), pass))).toBe('primary_bytes');
    expect(recorder.admissionControlStats()).toMatchObject({
      global_cpu_usage: { transport: { rejection_count: {} } },
    });
  });

  it('I7: return to 0 after any interleaving of ends, failures and refusals', async () => {
    const rng = seededRng(42);
    const { guard, pressure } = guardOf({});
    const ends: (() => void)[] = [];
    const work = Array.from({ length: 2_000 }, () => {
      const fails = rng.next() < 0.5;
      const run = () =>
        new Promise<void>((resolve, reject) => {
          ends.push(() => (fails ? reject(new Error('aborted')) : resolve()));
        });
      if (ends.length > 0 && rng.next() < 0.6) ends.splice(Math.floor(rng.next() * ends.length), 1)[0]?.();
      const bytes = operationBytes(Math.floor(rng.next() * 3_000));
      return rng.next() < 0.5
        ? guard.primary(sized(bytes), run)
        : guard.replica(replicaRequest(bytes), rng.next() < 0.3, run);
    });
    for (const end of ends) end();
    await Promise.allSettled(work);
    expect(pressure.report().currentBytes).toEqual({ coordinating: 0, primary: 0, replica: 0 });
    expect(pressure.combinedBytes).toBe(0);
    expect(pressure.report().rejections.primary).toBeGreaterThan(0);
  });
});
