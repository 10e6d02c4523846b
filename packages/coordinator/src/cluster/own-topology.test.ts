import { beforeEach, describe, expect, it } from '@jest/globals';
import { type EffectiveSettings, MetadataStore } from '@weir/shared';
import {
  BusMemory,
  DEFAULT_SETTINGS,
  ManualClock,
  seededRng,
  settle,
  type UnreliableBus,
} from '@weir/shared/testing';
import { OwnTopology } from './own-topology.ts';

let clock: ManualClock;
let memory: BusMemory;
let live: string[];
beforeEach(() => {
  clock = new ManualClock();
  memory = new BusMemory(seededRng(1));
  live = ['dn1', 'dn2', 'dn3'];
});

type Coordinator = { readonly topology: OwnTopology; readonly bus: UnreliableBus };

async function coordinator(settings: Partial<EffectiveSettings> = {}): Promise<Coordinator> {
  const bus = memory.bus();
  const rng = seededRng(live.length);
  const log = { warn: () => undefined };
  const metadata = new MetadataStore({ bus, clock, timers: clock, rng, log });
  await metadata.start();
  const nodes = () => ['dn1', 'dn2', 'dn3'].map((id) => ({ id, name: id, address: `http://${id}` }));
  const topology = new OwnTopology({
    metadata,
    nodes,
    node: (id) => nodes().find((node) => node.id === id),
    isLive: (id) => live.includes(id),
    settings: () => ({ ...DEFAULT_SETTINGS, ...settings }),
    clock,
    rng,
  });
  return { topology, bus };
}

describe("Weir's own topology", () => {
  it('makes an index at its first write: one primary and one replica', async () => {
    const { topology } = await coordinator();
    const index = await topology.ensureIndex('logs');
    expect(index).toMatchObject({
      number_of_shards: 1,
      number_of_replicas: 1,
      shards: [{ primary: { node: 'dn1' }, replicas: [{ node: 'dn2' }] }],
    });
    expect([topology.index('logs'), topology.indices(), await topology.ensureIndex('logs')]).toEqual([
      index,
      [index],
      index,
    ]);
  });

  it('makes it also on one node, with the replica unassigned', async () => {
    live = ['dn3'];
    const { topology } = await coordinator();
    expect(await topology.ensureIndex('logs')).toMatchObject({
      number_of_replicas: 1,
      shards: [{ primary: { node: 'dn3' }, replicas: [] }],
    });
  });

  it('a burst of first writes at several coordinators makes one index', async () => {
    const [a, b] = [await coordinator(), await coordinator()];
    const made = await Promise.all(
      Array.from({ length: 100 }, (_, write) => (write % 2 === 0 ? a : b).topology.ensureIndex('logs')),
    );
    expect(new Set(made.map(({ uuid }) => uuid)).size).toBe(1);
    expect((await a.bus.readTable('indices')).revision).toBe(1);
  });

  it('uses the index that another coordinator made and this one has not heard of', async () => {
    const [a, b] = [await coordinator(), await coordinator()];
    b.bus.dropsMessages = true;
    const made = await a.topology.createIndex('logs', { settings: { number_of_shards: 3 } });
    expect(await b.topology.ensureIndex('logs')).toEqual(made);
  });

  it('makes nothing where action.auto_create_index forbids it', async () => {
    const { topology } = await coordinator({ autoCreateIndex: [] });
    await expect(topology.ensureIndex('logs')).rejects.toMatchObject({
      status: 404,
      type: 'index_not_found_exception',
      message: 'no such index [logs] and [action.auto_create_index] is [false]',
    });
    expect(topology.indices()).toEqual([]);
  });

  it('makes nothing past cluster.max_shards_per_node, neither when asked for nor at a first write', async () => {
    const { topology } = await coordinator({ maxShardsPerNode: 2 });
    await topology.createIndex('full', { settings: { number_of_shards: 5, number_of_replicas: 0 } });
    const refused = {
      status: 400,
      type: 'validation_exception',
      message:
        'Validation Failed: 1: this action would add [2] shards, but this cluster currently has [5]/[6] maximum normal shards open;',
    };
    await expect(topology.ensureIndex('logs')).rejects.toMatchObject(refused);
    await expect(topology.createIndex('logs', {})).rejects.toMatchObject(refused);
    await topology.createIndex('last', { settings: { number_of_replicas: 0 } });
    expect(topology.indices().map(({ name }) => name)).toEqual(['full', 'last']);
  });

  it('makes nothing of a name that no index can have', async () => {
    const { topology } = await coordinator();
    await expect(topology.ensureIndex('Logs')).rejects.toMatchObject({
      type: 'invalid_index_name_exception',
    });
  });

  it('makes nothing without a data node, and makes it as soon as one is there', async () => {
    live = [];
    const { topology } = await coordinator();
    await expect(topology.ensureIndex('logs')).rejects.toMatchObject({
      status: 503,
      message: 'no data node is there to hold index [logs]',
    });
    live = ['dn2'];
    expect((await topology.ensureIndex('logs')).shards[0]?.primary?.node).toBe('dn2');
  });

  it('makes nothing while the bus is down', async () => {
    const a = await coordinator();
    a.bus.isDown = true;
    await expect(a.topology.ensureIndex('logs')).rejects.toMatchObject({ status: 503 });
    a.bus.isDown = false;
    expect((await a.topology.ensureIndex('logs')).name).toBe('logs');
  });

  it('creates, shows, changes and removes what a client asks for', async () => {
    const [a, b] = [await coordinator(), await coordinator()];
    const body = { settings: { number_of_shards: 3, number_of_replicas: 2, refresh_interval: '5s' } };
    await a.topology.createIndex('logs', body);
    await a.topology.putMappings('logs', { properties: {} });
    await settle();
    expect(b.topology.index('logs')).toMatchObject({
      number_of_shards: 3,
      number_of_replicas: 2,
      routing_num_shards: 768,
      settings: { 'index.refresh_interval': '5s' },
      mappings: { properties: {} },
    });
    await expect(b.topology.createIndex('logs', {})).rejects.toThrow('already exists');
    await b.topology.deleteIndex('logs');
    await settle();
    expect(a.topology.index('logs')).toBeUndefined();
    await expect(a.topology.deleteIndex('logs')).rejects.toMatchObject({ status: 404 });
  });

  it.each([
    [{ settings: { foo: 1 } }, 'unknown setting [index.foo]'],
    [{ settings: { number_of_shards: 'x' } }, 'value [x] for setting [index.number_of_shards]'],
    [{ alias: {} }, 'unknown key [alias] for create index'],
  ])('refuses a body that it cannot honour, and makes nothing: %j', async (body, reason) => {
    const { topology } = await coordinator();
    await expect(topology.createIndex('logs', body)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(reason),
    });
    expect(topology.indices()).toEqual([]);
  });

  it('knows its nodes by id', async () => {
    const { topology } = await coordinator();
    expect([topology.node('dn2')?.address, topology.node('none'), topology.nodes().length]).toEqual([
      'http://dn2',
      undefined,
      3,
    ]);
  });
});
