import { beforeEach, describe, expect, it } from '@jest/globals';
import type { StoredTable, TableStorage } from '../bus/table-storage.ts';
import { BusMemory, ManualClock, seededRng, settle, type UnreliableBus } from '../testing/index.ts';
import { allocateShards } from './allocation.ts';
import type { IndexMetadata } from './index-metadata.ts';
import { MetadataStore } from './metadata-store.ts';

let clock: ManualClock;
let memory: BusMemory;
let warned: string[];
beforeEach(() => {
  clock = new ManualClock();
  memory = new BusMemory(seededRng(1));
  warned = [];
});

type Process = { readonly store: MetadataStore; readonly bus: UnreliableBus };

async function start(more: { storage?: TableStorage; bus?: UnreliableBus } = {}): Promise<Process> {
  const bus = more.bus ?? memory.bus();
  const log = { warn: (_fields: unknown, message: string) => warned.push(message) };
  const store = new MetadataStore({ ...more, bus, clock, timers: clock, rng: seededRng(3), log });
  await store.start();
  return { store, bus };
}

function index(name: string, nodeIds: readonly string[] = ['dn1', 'dn2']): IndexMetadata {
  let copies = 0;
  return {
    name,
    uuid: `uuid-${name}`,
    created_wall_ms: 1,
    number_of_shards: 2,
    number_of_replicas: 1,
    routing_num_shards: 1024,
    routing_partition_size: 1,
    settings: {},
    mappings: {},
    shards: allocateShards({
      numberOfShards: 2,
      numberOfReplicas: 1,
      nodeIds,
      indices: [],
      newAllocationId: () => `copy-${copies++}`,
    }),
  };
}

/** The metadata without a replica of one shard: what a primary's node does before it acknowledges without it. */
const withoutReplica =
  (shard: number) =>
  (current: IndexMetadata): IndexMetadata => ({
    ...current,
    shards: current.shards.map((own, number) => {
      const [gone, ...replicas] = own.replicas;
      return number !== shard || gone === undefined ? own : { ...own, replicas, lost: [...own.lost, gone] };
    }),
  });

function disk(): TableStorage & { kept: StoredTable | undefined } {
  return {
    kept: undefined,
    async load() {
      return this.kept;
    },
    async save(table) {
      this.kept = structuredClone(table);
    },
  };
}

describe('the metadata store', () => {
  it('makes an index that every process then knows', async () => {
    const [a, b] = [await start(), await start()];
    const heard: [string, number | undefined][] = [];
    b.store.onChange((changed) => {
      for (const [name, metadata] of changed) heard.push([name, metadata?.number_of_shards]);
    });
    const made = await a.store.create(index('logs'));
    await settle();
    expect([a.store.get('logs'), b.store.get('logs'), b.store.all()]).toEqual([made, made, [made]]);
    expect(heard).toEqual([['logs', 2]]);
  });

  it('makes a name once, also when two processes try at the same moment', async () => {
    const [a, b] = [await start(), await start()];
    const results = await Promise.allSettled([a.store.create(index('logs')), b.store.create(index('logs'))]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(a.store.create(index('logs'))).rejects.toMatchObject({
      type: 'resource_already_exists_exception',
      message: 'index [logs/uuid-logs] already exists',
      status: 400,
    });
  });

  it('changes an index on top of what others changed meanwhile', async () => {
    const [a, b] = [await start(), await start()];
    await a.store.create(index('logs'));
    await settle();
    b.bus.dropsMessages = true;
    await a.store.change('logs', withoutReplica(0));
    const both = await b.store.change('logs', withoutReplica(1));
    expect(both.shards.map(({ replicas, lost }) => [replicas.length, lost.length])).toEqual([
      [0, 1],
      [0, 1],
    ]);
  });

  it('many changes of one index at the same moment all count', async () => {
    const processes = [await start(), await start(), await start()];
    await processes[0]?.store.create(index('logs'));
    await settle();
    const count = (current: IndexMetadata): IndexMetadata => ({
      ...current,
      settings: { n: String(Number(current.settings['n'] ?? 0) + 1) },
    });
    await Promise.all(
      Array.from({ length: 30 }, (_, turn) => processes[turn % 3]?.store.change('logs', count)),
    );
    await settle();
    expect(processes.map(({ store }) => store.get('logs')?.settings['n'])).toEqual(['30', '30', '30']);
  });

  it('makes the changes that wait for one index in one write, each with its own outcome', async () => {
    const a = await start();
    await a.store.create(index('logs'));
    const { revision } = await a.bus.readRevision('indices');
    const outcomes = await Promise.allSettled([
      a.store.change('logs', withoutReplica(0)),
      a.store.change('logs', withoutReplica(1)),
      a.store.change('logs', () => {
        throw new Error('not this one');
      }),
      a.store.create(index('logs')),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
    expect(a.store.get('logs')?.shards.map(({ lost }) => lost.length)).toEqual([1, 1]);
    expect((await a.bus.readRevision('indices')).revision).toBe(revision + 2);
  });

  it('writes nothing when the change is none', async () => {
    const a = await start();
    const made = await a.store.create(index('logs'));
    const { revision } = await a.bus.readRevision('indices');
    expect(await a.store.change('logs', (current) => current)).toEqual(made);
    expect((await a.bus.readRevision('indices')).revision).toBe(revision);
  });

  it('refuses to change or delete what is not there', async () => {
    const a = await start();
    const notFound = { type: 'index_not_found_exception', status: 404, message: 'no such index [logs]' };
    await expect(a.store.change('logs', (current) => current)).rejects.toMatchObject(notFound);
    await expect(a.store.delete('logs')).rejects.toMatchObject(notFound);
  });

  it('deletes an index everywhere, and its name can be made anew', async () => {
    const [a, b] = [await start(), await start()];
    await a.store.create(index('logs'));
    await a.store.delete('logs');
    await settle();
    expect([a.store.all(), b.store.all(), b.store.get('logs')]).toEqual([[], [], undefined]);
    await b.store.create({ ...index('logs'), uuid: 'second' });
    await settle();
    expect(a.store.get('logs')?.uuid).toBe('second');
  });

  it('a deletion wins over a change that did not know of it', async () => {
    const [a, b] = [await start(), await start()];
    await a.store.create(index('logs'));
    await settle();
    b.bus.dropsMessages = true;
    await a.store.delete('logs');
    await expect(b.store.change('logs', withoutReplica(0))).rejects.toMatchObject({ status: 404 });
  });

  it('cannot change anything while the bus is down, and still knows what it knew', async () => {
    const a = await start();
    await a.store.create(index('logs'));
    a.bus.isDown = true;
    await expect(a.store.change('logs', withoutReplica(0))).rejects.toMatchObject({ code: 'unavailable' });
    expect(a.store.get('logs')?.shards[0]?.replicas).toHaveLength(1);
  });

  it('has a change on its disk before it resolves', async () => {
    const storage = disk();
    const a = await start({ storage });
    await a.store.create(index('logs'));
    await a.store.change('logs', withoutReplica(0));
    const kept = JSON.parse(storage.kept?.entries.get('logs')?.value ?? '{}');
    expect(kept.shards[0].replicas).toEqual([]);
  });

  it('I9: an emptied bus gets all indices back from the disks after a restart of everything; deleted ones stay deleted', async () => {
    const [one, two] = [disk(), disk()];
    const [a, b] = [await start({ storage: one }), await start({ storage: two })];
    for (const name of ['kept', 'changed', 'deleted']) await a.store.create(index(name));
    await settle();
    // The second node misses what happens from here on.
    await b.store.close();
    await a.store.delete('deleted');
    await a.store.change('changed', withoutReplica(0));
    await a.store.close();
    memory = new BusMemory(seededRng(2));
    const behind = await start({ storage: two });
    expect(behind.store.all().map(({ name }) => name)).toEqual(['changed', 'deleted', 'kept']);
    const ahead = await start({ storage: one });
    clock.advance(1_000);
    await settle();
    for (const { store } of [behind, ahead]) {
      expect(store.all().map(({ name }) => name)).toEqual(['changed', 'kept']);
      expect(store.get('changed')?.shards[0]?.replicas).toEqual([]);
    }
  });

  it('I9: of two indices that took one name while the bus had lost the first, the older keeps it, and neither counts as deleted', async () => {
    const storage = disk();
    const before = await start({ storage });
    await before.store.create({ ...index('logs'), uuid: 'older', created_wall_ms: 1 });
    await before.store.close();
    memory = new BusMemory(seededRng(2));
    const lacking = await start({ storage: disk() });
    await lacking.store.create({ ...index('logs'), uuid: 'newer', created_wall_ms: 2 });
    const back = await start({ storage });
    clock.advance(1_000);
    await settle();
    for (const { store } of [lacking, back]) {
      expect(store.get('logs')?.uuid).toBe('older');
      expect([store.isDeleted('logs', 'older'), store.isDeleted('logs', 'newer')]).toEqual([false, false]);
    }
  });

  it('knows which index was deleted, also when its name was made anew meanwhile', async () => {
    const [a, b] = [await start(), await start()];
    await a.store.create(index('logs'));
    await settle();
    b.bus.dropsMessages = true;
    await a.store.delete('logs');
    await a.store.create({ ...index('logs'), uuid: 'second' });
    clock.advance(1_000);
    await settle();
    const { store } = b;
    expect([store.isDeleted('logs', 'uuid-logs'), store.isDeleted('logs', 'second')]).toEqual([true, false]);
  });

  it('C114: metadata that cannot be read is ignored with a warning, and what was known stays', async () => {
    const a = await start();
    const made = await a.store.create(index('logs'));
    await a.bus.compareAndSet('indices', [
      { key: 'logs', expectedVersion: 1, value: '{"name":"other"}' },
      { key: 'strange', expectedVersion: 0, value: 'not json' },
    ]);
    clock.advance(1_000);
    await settle();
    expect([a.store.all(), new Set(warned)]).toEqual([
      [made],
      new Set(['the metadata of an index cannot be read and is ignored']),
    ]);
  });

  it('C155: metadata with a field of a newer version, or without one of an older, is read', async () => {
    const a = await start();
    const { routing_partition_size: _, settings: __, ...older } = index('old');
    await a.bus.compareAndSet('indices', [
      { key: 'old', expectedVersion: 0, value: JSON.stringify(older) },
      { key: 'new', expectedVersion: 0, value: JSON.stringify({ ...index('new'), aliases: {} }) },
    ]);
    clock.advance(1_000);
    await settle();
    expect(a.store.all().map(({ name, routing_partition_size }) => [name, routing_partition_size])).toEqual([
      ['new', 1],
      ['old', 1],
    ]);
  });

  it('tells all listeners, also when one of them fails', async () => {
    const a = await start();
    const heard: string[] = [];
    a.store.onChange(() => {
      throw new Error('inside');
    });
    const stop = a.store.onChange((changed) => heard.push(...changed.keys()));
    await a.store.create(index('one'));
    stop();
    await a.store.create(index('two'));
    expect(heard).toEqual(['one']);
  });
});
