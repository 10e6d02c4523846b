import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Bus, connectRedisBus, SettingsStore, tableFile } from '@weir/shared';
import { eventually } from '../../support/eventually.ts';
import { type RealRedis, startRealRedis } from '../../support/real-redis.ts';
import { recordedWarnings, redisPorts } from '../../support/redis-ports.ts';

const CPU = 'weir.admission.cpu.primary.soft';
const ME = { author: 'me' };

let redis: RealRedis;
let directory: string;
const closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  redis = await startRealRedis();
});
afterAll(() => redis.stop());
beforeEach(async () => {
  await redis.admin.flushall();
  directory = await mkdtemp(join(tmpdir(), 'weir-settings-'));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await rm(directory, { recursive: true });
});

type Process = { readonly store: SettingsStore; readonly stop: () => Promise<void> };

/** One process of a cluster: its own connections, perhaps a disk of its own, perhaps deaf to messages. */
async function startProcess(more: { disk?: string; isDeaf?: boolean } = {}): Promise<Process> {
  const ports = redisPorts(recordedWarnings());
  const connected = await connectRedisBus({ ...ports, url: redis.url, cluster: 'c' });
  const bus = more.isDeaf === true ? deaf(connected) : connected;
  const storage =
    more.disk === undefined ? {} : { storage: tableFile(join(directory, more.disk), ports.log) };
  const store = new SettingsStore({ ...ports, ...storage, bus });
  await store.start();
  let isStopped = false;
  const stop = async (): Promise<void> => {
    if (isStopped) return;
    isStopped = true;
    await store.close();
    await connected.close();
  };
  closing.push(stop);
  return { store, stop };
}

/** The same bus, but every message to it is lost. */
function deaf(bus: Bus): Bus {
  return new Proxy(bus, {
    get(target, name) {
      if (name === 'subscribe') return () => Promise.resolve(async () => undefined);
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

const soft = ({ store }: Process): number => store.current().admission.signals.cpu.limits.primary.soft;

describe('settings on a real Redis', () => {
  it('a change counts at every process within 200 ms', async () => {
    const [writer, ...others] = [await startProcess(), await startProcess(), await startProcess()];
    for (let value = 50; value < 60; value += 1) {
      const startMs = performance.now();
      await writer?.store.change({ persistent: { [CPU]: value } }, ME);
      await eventually(() => others.every((other) => soft(other) === value), 2_000);
      expect(performance.now() - startMs).toBeLessThan(200);
    }
  });

  it('a change whose message is lost counts within 2 s', async () => {
    const [writer, other] = [await startProcess(), await startProcess({ isDeaf: true })];
    const startMs = performance.now();
    await writer.store.change({ persistent: { [CPU]: 70 } }, ME);
    await eventually(() => soft(other) === 70);
    expect(performance.now() - startMs).toBeLessThan(2_000);
  });

  it('C083: two changes by two coordinators 50 ms apart end the same everywhere, with one message lost', async () => {
    const [a, b, c] = [await startProcess(), await startProcess(), await startProcess({ isDeaf: true })];
    await a.store.change({ persistent: { [CPU]: 70 } }, ME);
    await sleep(50);
    await b.store.change({ persistent: { [CPU]: 80 } }, ME);
    await eventually(() => [a, b, c].every((one) => one.store.current().version === 2), 2_000);
    expect([a, b, c].map(soft)).toEqual([80, 80, 80]);
  });

  it('C083: also when the second coordinator never heard of the first change', async () => {
    const [a, b] = [await startProcess(), await startProcess({ isDeaf: true })];
    await a.store.change({ persistent: { [CPU]: 70 } }, ME);
    await sleep(50);
    await b.store.change({ persistent: { [CPU]: 80 } }, ME);
    await eventually(() => soft(a) === 80, 2_000);
    expect([a, b].map(({ store }) => store.current().version)).toEqual([2, 2]);
  });

  it('C108: in 1000 rounds two coordinators change settings at the same time; all changes count, none fails', async () => {
    const [a, b] = [await startProcess(), await startProcess()];
    const change = ({ store }: Process, value: number): Promise<unknown> =>
      store.change({ transient: { 'weir.admission.leave_margin': (value % 500) / 10 } }, ME);
    for (let round = 0; round < 1_000; round += 1)
      await Promise.all([change(a, 2 * round), change(b, 2 * round + 1)]);
    await eventually(() => a.store.current().version === b.store.current().version);
    expect(a.store.current()).toEqual(b.store.current());
    expect(a.store.current().version).toBe(2_000);
    expect([49.8, 49.9]).toContain(a.store.current().admission.leaveMargin);
  }, 60_000);

  it('C080, I9: persistent settings come back from a disk after Redis and all processes were restarted; transient ones do not', async () => {
    const [dataNode, coordinator] = [await startProcess({ disk: 'dn1' }), await startProcess()];
    await coordinator.store.change(
      { persistent: { [CPU]: 70 }, transient: { 'weir.admission.epoch': '30s' } },
      ME,
    );
    await eventually(() => soft(dataNode) === 70);
    await dataNode.stop();
    await coordinator.stop();
    await redis.kill();
    await redis.restart();
    const late = await startProcess();
    expect(soft(late)).toBe(90);
    const again = await startProcess({ disk: 'dn1' });
    await eventually(() => soft(late) === 70, 2_000);
    expect([soft(again), again.store.document().transient.size, again.store.document().version]).toEqual([
      70, 0, 1,
    ]);
  });

  it('transient settings go when all processes were stopped, though Redis lives on', async () => {
    const first = await startProcess({ disk: 'dn1' });
    await first.store.change({ persistent: { [CPU]: 70 }, transient: { 'weir.admission.epoch': '30s' } }, ME);
    await first.stop();
    const [a, b] = await Promise.all([startProcess({ disk: 'dn1' }), startProcess()]);
    await eventually(() => [a, b].every(({ store }) => store.current().admission.epochMs === 60_000));
    expect([soft(a), soft(b)]).toEqual([70, 70]);
  });

  it('transient settings stay through a rolling restart and through a flushed Redis', async () => {
    const [a, b] = [await startProcess(), await startProcess()];
    await a.store.change({ transient: { [CPU]: 70 } }, ME);
    await eventually(() => soft(b) === 70);
    await a.stop();
    const again = await startProcess();
    expect(soft(again)).toBe(70);
    await b.stop();
    await redis.admin.flushall();
    await eventually(
      async () => (await redis.admin.hget('weir:c:table:settings', 'e:transient')) !== null,
      3_000,
    );
    expect(soft(await startProcess())).toBe(70);
  });
});
