import { describe, expect, it } from '@jest/globals';
import { CHANNELS, InProcessBus, type NodeStats, nodeStatsSchema, SNAPSHOTS } from '@weir/shared';
import { ManualClock, seededRng, settle } from '@weir/shared/testing';
import { type Beat, StatsPublisher } from './publish-stats.ts';

/** A bus part whose calls end when the test says so; `hang` never ends them. */
class FaultyBus {
  mode: 'ok' | 'hang' | 'feed_fails' | 'snapshot_fails' = 'ok';

  async publish(): Promise<void> {
    if (this.mode === 'hang') await new Promise(() => {});
    if (this.mode === 'feed_fails') throw new Error('ECONNREFUSED');
  }

  async putSnapshot(): Promise<void> {
    if (this.mode === 'snapshot_fails') throw new Error('OOM');
  }
}

function statsOf(seq: number): NodeStats {
  return {
    id: 'n-1',
    name: 'dn1',
    address: 'http://127.0.0.1:9300',
    boot_id: 'b-1',
    seq,
    draining: false,
    signals: {},
    work: 0,
    operations_waiting: 0,
    oldest_waiting_ms: 0,
    drain_per_s: null,
    accepted_total: 0,
    completed_total: 0,
    in_flight_bytes: { coordinating: 0, primary: 0, replica: 0 },
    limit_bytes: { primary: 1, replica: 1 },
    settings_version: 0,
  };
}

function publishing(bus: InProcessBus | FaultyBus) {
  const clock = new ManualClock();
  const beats: Beat[] = [];
  const setting = { intervalMs: 1_000 };
  let seq = 0;
  const takenMs: number[] = [];
  const publisher = new StatsPublisher({
    bus,
    clock,
    timers: clock,
    rng: seededRng(1),
    intervalMs: () => setting.intervalMs,
    take: () => {
      takenMs.push(clock.nowMs());
      seq += 1;
      return statsOf(seq);
    },
    onBeat: (beat) => beats.push(beat),
  });
  /** Time passes in steps small enough for promises to keep up. */
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 50) {
      clock.advance(50);
      await settle();
    }
  };
  return { clock, beats, setting, takenMs, publisher, pass };
}

describe('the stats publisher', () => {
  it('sends the first beat at once, to the feed and into the snapshot', async () => {
    const bus = new InProcessBus(seededRng(2));
    const heard: string[] = [];
    await bus.subscribe(CHANNELS.stats, (message) => heard.push(message));
    const { publisher, beats } = publishing(bus);
    publisher.start();
    await settle();
    expect(beats).toEqual([{ outcome: 'published', seq: 1 }]);
    expect(nodeStatsSchema.parse(JSON.parse(heard[0] ?? '')).seq).toBe(1);
    expect(await bus.readSnapshot(SNAPSHOTS.nodes)).toEqual(new Map([['n-1', heard[0]]]));
    await publisher.stop();
  });

  it('beats every interval, ± 10 % and not always the same', async () => {
    const { publisher, takenMs, pass } = publishing(new FaultyBus());
    publisher.start();
    await pass(60_000);
    const gaps = takenMs.slice(1).map((ms, beat) => ms - (takenMs[beat] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(900);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(1_100);
    expect(new Set(gaps).size).toBeGreaterThan(10);
    expect(gaps.length).toBeGreaterThan(55);
    await publisher.stop();
  });

  it('beats at once when the state changed, and goes on at its pace', async () => {
    const { publisher, takenMs, pass } = publishing(new FaultyBus());
    publisher.start();
    await pass(200);
    publisher.publishNow();
    await settle();
    expect(takenMs).toEqual([0, 200]);
    await pass(1_000);
    expect(takenMs).toHaveLength(3);
    await publisher.stop();
  });

  it('follows a changed interval at once, shorter or longer', async () => {
    const { publisher, takenMs, pass, setting } = publishing(new FaultyBus());
    setting.intervalMs = 10_000;
    publisher.start();
    await pass(3_000);
    expect(takenMs).toHaveLength(1);
    setting.intervalMs = 100;
    publisher.settingsChanged();
    await pass(1_000);
    expect(takenMs.length).toBeGreaterThan(5);
    setting.intervalMs = 10_000;
    publisher.settingsChanged();
    const before = takenMs.length;
    await pass(8_000);
    expect(takenMs).toHaveLength(before);
    await publisher.stop();
  });

  it('keeps its pace when settings change that are none of its business', async () => {
    const { publisher, takenMs, pass } = publishing(new FaultyBus());
    publisher.start();
    for (let change = 0; change < 100; change++) {
      publisher.settingsChanged();
      await pass(50);
    }
    expect(takenMs.length).toBeGreaterThanOrEqual(5);
    expect(takenMs.length).toBeLessThanOrEqual(6);
    await publisher.stop();
  });

  it('many changes while a beat is under way make one more beat', async () => {
    const { publisher, beats } = publishing(new FaultyBus());
    publisher.start();
    for (let change = 0; change < 50; change++) publisher.publishNow();
    await settle();
    expect(beats.map(({ seq }) => seq)).toEqual([1, 2]);
    await publisher.stop();
  });

  it.each([
    ['feed_fails', 'feed', 'ECONNREFUSED'],
    ['snapshot_fails', 'snapshot', 'OOM'],
  ] as const)('says which part failed: %s', async (mode, part, message) => {
    const bus = new FaultyBus();
    bus.mode = mode;
    const { publisher, beats } = publishing(bus);
    publisher.start();
    await settle();
    expect(beats).toEqual([{ outcome: 'failed', seq: 1, part, cause: new Error(message) }]);
    await publisher.stop();
  });

  it('C109: every beat ends while the bus never answers for 60 s, and none begins before the last has ended', async () => {
    const bus = new FaultyBus();
    bus.mode = 'hang';
    const { publisher, beats, takenMs, pass } = publishing(bus);
    publisher.start();
    await pass(60_000);
    expect(beats.every(({ outcome }) => outcome === 'timed_out')).toBe(true);
    expect(beats.length).toBe(takenMs.length - 1);
    expect(takenMs.length).toBeLessThanOrEqual(31);
    bus.mode = 'ok';
    await pass(3_000);
    expect(beats.at(-1)?.outcome).toBe('published');
    await publisher.stop();
  });

  it('C109: stops within the time limit of one beat while the bus never answers', async () => {
    const bus = new FaultyBus();
    bus.mode = 'hang';
    const { publisher, beats, pass } = publishing(bus);
    publisher.start();
    await settle();
    let stopped = false;
    const stopping = publisher.stop().then(() => {
      stopped = true;
    });
    await pass(2_000);
    await stopping;
    expect(stopped).toBe(true);
    expect(beats).toEqual([{ outcome: 'timed_out', seq: 1 }]);
    await pass(10_000);
    expect(beats).toHaveLength(1);
  });

  it('tells of a change that came right before the end', async () => {
    const { publisher, beats } = publishing(new FaultyBus());
    publisher.start();
    publisher.publishNow();
    await publisher.stop();
    expect(beats.map(({ seq, outcome }) => [seq, outcome])).toEqual([
      [1, 'published'],
      [2, 'published'],
    ]);
  });

  it('I14: goes on when whoever is told of its beats throws', async () => {
    const { publisher, takenMs, pass, beats } = publishing(new FaultyBus());
    beats.push = () => {
      throw new Error('log is full');
    };
    publisher.start();
    await pass(5_000);
    expect(takenMs.length).toBeGreaterThanOrEqual(5);
    await publisher.stop();
  });
});
