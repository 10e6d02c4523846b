import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectRedisBus, type IndexMetadata, MetadataStore, newIndex, tableFile } from '@weir/shared';
import { eventually } from '../../support/eventually.ts';
import { type RealRedis, startRealRedis } from '../../support/real-redis.ts';
import { recordedWarnings, redisPorts } from '../../support/redis-ports.ts';

let redis: RealRedis;
let directory: string;
const closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  redis = await startRealRedis();
});
afterAll(() => redis.stop());
beforeEach(async () => {
  await redis.admin.flushall();
  directory = await mkdtemp(join(tmpdir(), 'weir-metadata-'));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await rm(directory, { recursive: true });
});

const ports = redisPorts(recordedWarnings());

async function startStore(disk?: string): Promise<{ store: MetadataStore; stop: () => Promise<void> }> {
  const bus = await connectRedisBus({ ...ports, url: redis.url, cluster: 'c' });
  const storage = disk === undefined ? {} : { storage: tableFile(join(directory, disk), ports.log) };
  const store = new MetadataStore({ ...ports, ...storage, bus });
  await store.start();
  let isStopped = false;
  const stop = async (): Promise<void> => {
    if (isStopped) return;
    isStopped = true;
    await store.close();
    await bus.close();
  };
  closing.push(stop);
  return { store, stop };
}

const index = (name: string): IndexMetadata =>
  newIndex(
    name,
    { settings: { number_of_shards: 3 } },
    { ...ports, nodeIds: ['dn1', 'dn2', 'dn3'], indices: [] },
  );
const names = (store: MetadataStore): string[] => store.all().map(({ name }) => name);
const inRedis = async (): Promise<string[]> => {
  const fields = await redis.admin.hgetall('weir:c:table:indices');
  return Object.entries(fields)
    .filter(([field, value]) => field.startsWith('e:') && value.includes('='))
    .map(([field]) => field.slice(2))
    .sort();
};

describe('index metadata on a real Redis', () => {
  it('I9: after FLUSHALL all indices are back within 2 s, and deleted ones are not', async () => {
    const [a, b] = [await startStore('dn1'), await startStore('dn2')];
    for (const name of ['a', 'b', 'gone']) await a.store.create(index(name));
    await a.store.delete('gone');
    await eventually(() => names(b.store).join() === 'a,b');
    await redis.admin.flushall();
    const tookMs = await eventually(async () => (await inRedis()).join() === 'a,b');
    expect(tookMs).toBeLessThan(2_000);
    expect([names(a.store), names(b.store)]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
    const fresh = await startStore();
    expect(names(fresh.store)).toEqual(['a', 'b']);
    await expect(fresh.store.create(index('a'))).rejects.toThrow('already exists');
  });

  it('I9: after Redis and every process were restarted the disks fill Redis again, the newest word first', async () => {
    const [a, b] = [await startStore('dn1'), await startStore('dn2')];
    for (const name of ['kept', 'changed', 'gone']) await a.store.create(index(name));
    await eventually(() => names(b.store).length === 3);
    await b.stop();
    await a.store.delete('gone');
    await a.store.change('changed', (current) => ({ ...current, settings: { n: '1' } }));
    await a.stop();
    await redis.kill();
    await redis.restart();
    const behind = await startStore('dn2');
    expect(names(behind.store)).toContain('gone');
    const ahead = await startStore('dn1');
    await eventually(() => names(behind.store).join() === 'changed,kept');
    expect(names(ahead.store)).toEqual(['changed', 'kept']);
    expect(behind.store.get('changed')?.settings).toEqual({ n: '1' });
  });

  it('goes on through a killed Redis: what was known stays known, and changes work again', async () => {
    const [a, b] = [await startStore('dn1'), await startStore()];
    await a.store.create(index('logs'));
    await eventually(() => b.store.get('logs') !== undefined);
    await redis.kill();
    await expect(b.store.create(index('late'))).rejects.toMatchObject({ code: 'unavailable' });
    expect(b.store.get('logs')).toBeDefined();
    await redis.restart();
    await eventually(async () => {
      await b.store.create(index('late')).catch(() => undefined);
      return b.store.get('late') !== undefined;
    });
    await eventually(() => names(a.store).join() === 'late,logs');
    expect(await inRedis()).toEqual(['late', 'logs']);
  });

  it('changes by many writers at the same time all count', async () => {
    const stores = [await startStore('dn1'), await startStore('dn2'), await startStore()];
    await stores[0]?.store.create(index('logs'));
    await eventually(() => stores.every(({ store }) => store.get('logs') !== undefined));
    const count = (current: IndexMetadata): IndexMetadata => ({
      ...current,
      settings: { n: String(Number(current.settings['n'] ?? 0) + 1) },
    });
    await Promise.all(
      stores.map(async ({ store }) => {
        for (let turn = 0; turn < 50; turn += 1) await store.change('logs', count);
      }),
    );
    await eventually(() => stores.every(({ store }) => store.get('logs')?.settings['n'] === '150'));
  });
});
