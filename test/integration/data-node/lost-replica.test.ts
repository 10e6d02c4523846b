import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { IndexMetadata } from '@weir/shared';
import { BusMemory, seededRng, statsOfNode, type UnreliableBus } from '@weir/shared/testing';
import {
  type Cluster,
  indexOperation,
  shardRequestFor,
  sourcesAt,
  startCluster,
  write,
} from '../../support/data-nodes.ts';
import { eventually } from '../../support/eventually.ts';

jest.setTimeout(60_000);

let memory: BusMemory;
let cluster: Cluster;
/** The bus as the primary's node sees it. */
let primaryBus: UnreliableBus;

beforeEach(async () => {
  memory = new BusMemory(seededRng(1));
  cluster = await startCluster(0, memory.bus());
  // However busy this machine is: what is refused is another test's matter.
  await cluster.set({ 'weir.admission.mode': 'disabled' });
  primaryBus = memory.bus();
  await cluster.startNode('dn1', { bus: primaryBus, argv: ['--timeout-replica', '900ms'] });
  await cluster.startNode('dn2');
});
afterEach(() => cluster.stop());

const shardOnTheBus = async (index: IndexMetadata) => {
  const { entries } = await memory.bus().readTable('indices');
  return (JSON.parse(entries.get(index.name)?.value ?? '{}') as IndexMetadata).shards[0];
};

describe('a replica that is lost', () => {
  it('I3: has left the in-sync set on the bus when the write is acknowledged without it, and is not asked again', async () => {
    const index = await cluster.placeIndex('i3', ['dn1', 'dn2']);
    const lost = index.shards[0]?.replicas[0];
    await cluster.node('dn2').stop(0);
    const answer = await write(cluster, cluster.node('dn1'), shardRequestFor(index, [indexOperation('a')]));
    expect(await shardOnTheBus(index)).toMatchObject({ replicas: [], lost: [lost] });
    expect(answer).toMatchObject({
      outcome: 'applied',
      results: [
        {
          status: 201,
          shards: { total: 2, successful: 1, failed: 1, failures: [{ node: lost?.node, primary: false }] },
        },
      ],
    });
    const next = await write(cluster, cluster.node('dn1'), shardRequestFor(index, [indexOperation('b')]));
    expect(next).toMatchObject({
      results: [{ status: 201, shards: { total: 2, successful: 1, failed: 0 } }],
    });
  });

  it('C062: keeps writes from being acknowledged while the bus is away, and is out before the next one is', async () => {
    const index = await cluster.placeIndex('c062', ['dn1', 'dn2']);
    await cluster.node('dn2').stop(0);
    primaryBus.isDown = true;
    const refusedAck = await write(
      cluster,
      cluster.node('dn1'),
      shardRequestFor(index, [indexOperation('a')]),
    );
    expect(refusedAck).toMatchObject({
      outcome: 'applied',
      results: [{ ok: false, status: 503, error: { type: 'unavailable_shards_exception' } }],
    });
    expect((await shardOnTheBus(index))?.replicas).toHaveLength(1);
    // The replica is back, without the write: nothing may be acknowledged beside it.
    await cluster.startNode('dn2');
    const still = await write(cluster, cluster.node('dn1'), shardRequestFor(index, [indexOperation('b')]));
    expect(still).toMatchObject({ results: [{ ok: false, status: 503 }] });
    primaryBus.isDown = false;
    await eventually(async () => (await shardOnTheBus(index))?.replicas.length === 0);
    const next = await write(cluster, cluster.node('dn1'), shardRequestFor(index, [indexOperation('c')]));
    expect(next).toMatchObject({ results: [{ status: 201, shards: { successful: 1 } }] });
    expect(await sourcesAt(cluster, cluster.node('dn1'), index, ['a', 'b', 'c'])).toHaveLength(3);
  });

  it('C069: fails wait_for_active_shards=all before anything is stored, and not =1', async () => {
    const index = await cluster.placeIndex('c069', ['dn1', 'dn2']);
    await cluster.node('dn2').stop(0);
    const request = (id: string, waitForActiveShards: 'all' | number) =>
      shardRequestFor(index, [indexOperation(id)], { waitForActiveShards, timeoutMs: 1_000 });
    expect(await write(cluster, cluster.node('dn1'), request('a', 'all'))).toMatchObject({
      outcome: 'failed',
      code: 'unavailable_shards',
    });
    expect(await sourcesAt(cluster, cluster.node('dn1'), index, ['a'])).toEqual([null]);
    expect(await write(cluster, cluster.node('dn1'), request('b', 1))).toMatchObject({
      results: [{ status: 201 }],
    });
  });
});

describe('a cluster that is restarted', () => {
  it.each([
    ['keeps', () => undefined],
    ['has lost', () => memory.lose()],
  ])(
    'keeps its copies when the primary’s node is up first and written to, while the bus %s what it knew',
    async (_, then) => {
      const index = await cluster.placeIndex('restarted', ['dn1', 'dn2']);
      await Promise.all(['dn1', 'dn2'].map((name) => cluster.node(name).stop(0)));
      then();
      await cluster.startNode('dn1');
      const writing = write(
        cluster,
        cluster.node('dn1'),
        shardRequestFor(index, [indexOperation('a')], { timeoutMs: 40_000 }),
      );
      await cluster.startNode('dn2');
      expect(await writing).toMatchObject({
        results: [{ status: 201, shards: { total: 2, successful: 2, failed: 0 } }],
      });
      expect(await shardOnTheBus(index)).toMatchObject({
        replicas: [{ node: cluster.node('dn2').id }],
        lost: [],
      });
      expect(await sourcesAt(cluster, cluster.node('dn2'), index, ['a'])).toEqual(['{"id":"a"}']);
    },
  );
});

describe('a replica that takes calls and never answers', () => {
  let silent: Server;
  /** Sockets on which a call still waits. */
  const waiting = new Set<Socket>();

  beforeEach(async () => {
    waiting.clear();
    silent = createServer(({ socket }) => {
      waiting.add(socket);
      socket.on('close', () => waiting.delete(socket));
    });
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const stats = statsOfNode('mute', { address: `http://127.0.0.1:${port}` });
    await cluster.bus.publish('stats', JSON.stringify(stats));
  });
  afterEach(() => {
    silent.closeAllConnections();
    silent.close();
  });

  it('C071: is given up within its time, with all its sockets closed and no bytes held for it', async () => {
    const index = await cluster.placeIndex('c071', ['dn1', 'dn2']);
    const copy = { node: statsOfNode('mute', {}).id, allocation_id: 'm' };
    const muted = await cluster.metadata.change(index.name, (current) => ({
      ...current,
      shards: current.shards.map((shard) => ({ ...shard, replicas: [copy] })),
    }));
    const writes = Array.from({ length: 50 }, (_, number) =>
      write(cluster, cluster.node('dn1'), shardRequestFor(muted, [indexOperation(`d${number}`)])),
    );
    for (const answer of await Promise.all(writes))
      expect(answer).toMatchObject({ outcome: 'applied', results: [{ status: 201, shards: { failed: 1 } }] });
    await eventually(() => waiting.size === 0);
    const stats = await fetch(`${cluster.node('dn1').origin}/_nodes/_local/stats/indexing_pressure`);
    expect(await stats.text()).toContain('"all_in_bytes":0');
  });
});

describe('a primary that is no longer one', () => {
  it('is fenced by the replica, which knows the newer term, and acknowledges nothing', async () => {
    const index = await cluster.placeIndex('fenced', ['dn1', 'dn2']);
    await write(cluster, cluster.node('dn1'), shardRequestFor(index, [indexOperation('before')]));
    // The old primary's node hears nothing of what follows.
    primaryBus.isDown = true;
    const [shard] = index.shards;
    await cluster.metadata.change(index.name, (current) => ({
      ...current,
      shards: [{ primary_term: 2, primary: shard?.replicas[0] ?? null, replicas: [], lost: [] }],
    }));
    const answer = await write(
      cluster,
      cluster.node('dn1'),
      shardRequestFor(index, [indexOperation('after')]),
    );
    expect(answer).toMatchObject({
      outcome: 'applied',
      results: [
        {
          ok: false,
          status: 503,
          error: { reason: expect.stringContaining('older than the current one [2]') },
        },
      ],
    });
    const fresh = cluster.metadata.get(index.name) ?? index;
    expect(await sourcesAt(cluster, cluster.node('dn2'), fresh, ['before', 'after'])).toEqual([
      '{"id":"before"}',
      null,
    ]);
    // Once it can ask, it turns requests of the old term away before anything happens.
    primaryBus.isDown = false;
    await eventually(async () => {
      const later = await write(
        cluster,
        cluster.node('dn1'),
        shardRequestFor(index, [indexOperation('later')]),
      );
      return later.outcome === 'failed' && later.code === 'no_shard_available';
    });
    const accepted = await write(
      cluster,
      cluster.node('dn2'),
      shardRequestFor(fresh, [indexOperation('new')]),
    );
    expect(accepted).toMatchObject({ results: [{ status: 201, primaryTerm: 2 }] });
  });
});
