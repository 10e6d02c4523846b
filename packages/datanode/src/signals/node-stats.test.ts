import { describe, expect, it } from '@jest/globals';
import { IndexingPressure, nodeStatsSchema, type SignalReadings } from '@weir/shared';
import { ManualClock } from '@weir/shared/testing';
import { NodeStatsSource } from './node-stats.ts';
import { WorkTracker } from './work-tracker.ts';

const OK = { fast: 12.345678, slow: 10, quality: 'ok' } as const;

function parts(signals: SignalReadings = { cpu: OK }) {
  const clock = new ManualClock(5_000);
  const work = new WorkTracker(clock);
  const pressure = new IndexingPressure(() => ({ primary: 10_240, replica: 15_360 }));
  const source = new NodeStatsSource({
    identity: { id: 'n-1', name: 'dn1', bootId: 'b-1' },
    address: () => 'http://127.0.0.1:9300',
    clock,
    signals: () => signals,
    work: () => work.standing(),
    pressure: () => pressure.report(),
    isDraining: () => false,
    settingsVersion: () => 7,
  });
  return { clock, work, pressure, source };
}

describe('node stats', () => {
  it('say what is known of the node at this moment', () => {
    const { clock, work, pressure, source } = parts();
    work.begin(2.5, 2);
    pressure.acquire('primary', 1_000);
    clock.advance(40);
    expect(source.take()).toEqual({
      id: 'n-1',
      name: 'dn1',
      address: 'http://127.0.0.1:9300',
      boot_id: 'b-1',
      seq: 1,
      draining: false,
      signals: { cpu: { fast: 12.35, slow: 10, quality: 'ok' } },
      work: 2.5,
      operations_waiting: 2,
      oldest_waiting_ms: 40,
      drain_per_s: null,
      accepted_total: 2.5,
      completed_total: 0,
      in_flight_bytes: { coordinating: 0, primary: 1_000, replica: 0 },
      limit_bytes: { primary: 10_240, replica: 15_360 },
      settings_version: 7,
    });
  });

  it('are read back as they were written', () => {
    const stats = parts({ cpu: OK, io: undefined }).source.take();
    expect(nodeStatsSchema.parse(JSON.parse(JSON.stringify(stats)))).toEqual(stats);
  });

  it('C092: hold no value that JSON turns into null, but for the drain rate nobody knows yet', () => {
    const { drain_per_s, ...rest } = parts({}).source.take();
    expect(drain_per_s).toBeNull();
    expect(JSON.stringify(rest)).not.toContain('null');
    expect(rest.signals).toEqual({});
  });

  it('are new after 10 ms once work has ended: it must not seem to wait still', () => {
    const { clock, work, source } = parts();
    const end = work.begin(1_000, 10);
    expect(source.newest()).toMatchObject({ seq: 1, work: 1_000 });
    end();
    clock.advance(9);
    expect(source.newest()).toMatchObject({ seq: 1, work: 1_000 });
    clock.advance(1);
    expect(source.newest()).toMatchObject({ seq: 2, work: 0 });
    clock.advance(99);
    expect(source.newest().seq).toBe(2);
  });

  it('are new at once where they would say that an idle node is long busy', () => {
    const { clock, work, source } = parts();
    const ends = [work.begin(1_000, 10), work.begin(1_000, 10)];
    clock.advance(500);
    ends[0]?.();
    expect(source.newest()).toMatchObject({ seq: 1, work: 1_000, oldest_waiting_ms: 500 });
    ends[1]?.();
    expect(source.newest()).toMatchObject({ seq: 2, work: 0, oldest_waiting_ms: 0 });
  });

  it('are numbered; answers within 100 ms carry the same reading', () => {
    const { clock, work, source } = parts();
    expect(source.newest().seq).toBe(1);
    work.begin(1, 1);
    clock.advance(99);
    expect(source.newest()).toMatchObject({ seq: 1, work: 0 });
    clock.advance(1);
    expect(source.newest()).toMatchObject({ seq: 2, work: 1 });
    expect(source.take().seq).toBe(3);
    expect(source.newest().seq).toBe(3);
  });
});
