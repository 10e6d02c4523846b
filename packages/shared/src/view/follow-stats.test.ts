import { describe, expect, it } from '@jest/globals';
import { CHANNELS, SNAPSHOTS } from '../bus/bus.ts';
import { InProcessBus } from '../bus/in-process-bus.ts';
import { DEFAULT_SETTINGS, ManualClock, seededRng, settle, statsOfNode } from '../testing/index.ts';
import { ClusterView } from './cluster-view.ts';
import { followStats } from './follow-stats.ts';

/** A bus whose snapshot can be asked how often it was read, and that can be down. */
class WatchedBus extends InProcessBus {
  reads = 0;
  up = true;

  override isUp(): boolean {
    return this.up;
  }

  override async readSnapshot(hash: string): Promise<ReadonlyMap<string, string>> {
    this.reads += 1;
    if (!this.up) throw new Error('connection refused');
    return super.readSnapshot(hash);
  }
}

async function follower(prepare: (bus: WatchedBus) => Promise<void> = async () => {}) {
  const clock = new ManualClock();
  const bus = new WatchedBus(seededRng(1));
  const view = new ClusterView(() => DEFAULT_SETTINGS);
  const warnings: string[] = [];
  await prepare(bus);
  const stop = await followStats({
    ...{ bus, view, clock, timers: clock, rng: seededRng(2) },
    settings: () => DEFAULT_SETTINGS,
    warn: (_message, fields) => warnings.push(`${fields['key']}: ${fields['problem']}`),
  });
  return { clock, bus, view, warnings, stop };
}

describe('following the stats of the data nodes', () => {
  it('puts what is heard into the view', async () => {
    const { bus, view } = await follower();
    await bus.publish(CHANNELS.stats, JSON.stringify(statsOfNode('dn1', { seq: 1 })));
    await settle();
    expect(view.node('id-dn1')?.standing(0, DEFAULT_SETTINGS)).toBe('known');
  });

  it('learns from the snapshot at start who there is, without believing its figures', async () => {
    const { view } = await follower((bus) =>
      bus.putSnapshot(SNAPSHOTS.nodes, 'id-dn1', JSON.stringify(statsOfNode('dn1', { work: 9_000 }))),
    );
    expect(view.node('id-dn1')?.stats.address).toBe('http://127.0.0.1:9300');
    expect(view.node('id-dn1')?.standing(0, DEFAULT_SETTINGS)).toBe('unknown');
  });

  it('C114: ignores foreign and broken values with one warning each that names the key, and hears the others', async () => {
    const broken: Record<string, string> = {
      a: 'not json',
      b: '[]',
      c: '{"id":"c"}',
      d: 'x'.repeat(5_000_000),
      e: JSON.stringify({ ...statsOfNode('dn9', {}), work: -1 }),
    };
    const { view, warnings, bus, clock } = await follower(async (prepared) => {
      for (const [key, value] of Object.entries(broken)) {
        await prepared.putSnapshot(SNAPSHOTS.nodes, key, value);
      }
      await prepared.putSnapshot(SNAPSHOTS.nodes, 'id-dn1', JSON.stringify(statsOfNode('dn1', {})));
    });
    expect([...view.nodes()].map((node) => node.name)).toEqual(['dn1']);
    expect(warnings.map((warning) => warning.slice(0, 7))).toEqual([
      'nodes/a',
      'nodes/b',
      'nodes/c',
      'nodes/d',
      'nodes/e',
    ]);
    expect(warnings[4]).toContain('work');
    for (let message = 0; message < 50; message++) await bus.publish(CHANNELS.stats, 'not json');
    await settle();
    expect(warnings.length).toBe(6);
    clock.advance(60_000);
    await bus.publish(CHANNELS.stats, 'not json');
    await settle();
    expect(warnings.filter((warning) => warning.startsWith('stats')).length).toBe(2);
  });

  it('C155: reads a message with keys it does not know', async () => {
    const { bus, view } = await follower();
    await bus.publish(CHANNELS.stats, JSON.stringify({ ...statsOfNode('dn1', {}), of_a_later_version: 1 }));
    await settle();
    expect(view.node('id-dn1')?.name).toBe('dn1');
  });

  it('reads the snapshot again while nothing is heard, and not while all is well', async () => {
    const { bus, clock } = await follower();
    for (let second = 1; second <= 6; second++) {
      clock.advance(1_000);
      await bus.publish(CHANNELS.stats, JSON.stringify(statsOfNode('dn1', { seq: second })));
      await settle();
    }
    expect(bus.reads).toBe(1);
    clock.advance(10_000);
    await settle();
    expect(bus.reads).toBeGreaterThan(1);
  });

  it('C101: a bus that is down costs a warning a minute; the snapshot is read once more when it is back', async () => {
    const { bus, clock, warnings } = await follower();
    bus.up = false;
    for (let second = 0; second < 50; second++) {
      clock.advance(1_000);
      await settle();
    }
    expect(warnings).toEqual(['nodes: connection refused']);
    bus.up = true;
    const before = bus.reads;
    clock.advance(4_000);
    await settle();
    expect(bus.reads).toBeGreaterThan(before);
  });

  it('stops hearing and reading when it is stopped', async () => {
    const { bus, clock, view, stop } = await follower();
    await stop();
    await bus.publish(CHANNELS.stats, JSON.stringify(statsOfNode('dn1', {})));
    clock.advance(60_000);
    await settle();
    expect(view.node('id-dn1')).toBeUndefined();
    expect(bus.reads).toBe(1);
  });
});
