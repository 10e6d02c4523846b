import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { IndexMetadata, ShardAnswer } from '@weir/shared';
import { askJson, indexOperation, shardRequestFor, sourcesAt, write } from '../../support/data-nodes.ts';
import { eventually } from '../../support/eventually.ts';
import { type NodeProcess, type NodeProcesses, startNodeProcesses } from '../../support/node-processes.ts';

jest.setTimeout(120_000);

let cluster: NodeProcesses;
let primary: NodeProcess;
let replica: NodeProcess;
let index: IndexMetadata;

beforeEach(async () => {
  cluster = await startNodeProcesses({ WEIR_TIMEOUT_REPLICA: '1500ms' });
  [primary, replica] = await Promise.all([cluster.start('dn1'), cluster.start('dn2')]);
  index = await cluster.placeIndex('logs', [primary, replica]);
  // Both know the index before anything is frozen or killed.
  await eventually(async () => isAcknowledged(await one('first')), 20_000);
});
afterEach(() => cluster.stop());

const one = (id: string) => write(cluster, primary, shardRequestFor(index, [indexOperation(id)]));
const isAcknowledged = (answer: ShardAnswer): boolean =>
  answer.outcome === 'applied' && answer.results.every(({ ok }) => ok);
const shardOnTheBus = async () => {
  const { entries } = await cluster.bus.readTable('indices');
  return (JSON.parse(entries.get('logs')?.value ?? '{}') as IndexMetadata).shards[0];
};

/** Writes one document after another on 8 connections until told to end; gives back the acknowledged ids. */
function keepWriting(prefix: string): { end(): Promise<readonly string[]> } {
  const acknowledged: string[] = [];
  let ended = false;
  const loops = Array.from({ length: 8 }, async (_, loop) => {
    for (let number = 0; !ended; number += 1) {
      const id = `${prefix}-${loop}-${number}`;
      if (isAcknowledged(await one(id).catch((): ShardAnswer => LOST))) acknowledged.push(id);
    }
  });
  return {
    async end() {
      ended = true;
      await Promise.all(loops);
      return acknowledged;
    },
  };
}
const LOST: ShardAnswer = { outcome: 'failed', code: 'bad_gateway', message: 'no answer' };

describe('data nodes as processes', () => {
  it('I3: a replica killed with -9 under load has left the in-sync set before the next acknowledgement; nothing acknowledged is missing', async () => {
    const load = keepWriting('a');
    await eventually(async () => (await sourcesAt(cluster, replica, index, ['a-0-3']))[0] !== null, 20_000);
    replica.signal('SIGKILL');
    await replica.ended;
    await eventually(async () => (await shardOnTheBus())?.replicas.length === 0, 20_000);
    const after = await one('after');
    expect(after).toMatchObject({
      results: [{ status: 201, shards: { total: 2, successful: 1, failed: 0 } }],
    });
    const acknowledged = await load.end();
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(await sourcesAt(cluster, primary, index, acknowledged)).not.toContain(null);

    // Back again it holds an old copy, and serves nothing of it.
    const back = await cluster.start('dn2');
    const copy = { index: index.name, index_uuid: index.uuid, shard: 0 };
    expect(await askJson(cluster, back, '/_weir/internal/get', { ...copy, ids: ['a-0-3'] })).toMatchObject({
      status: 503,
      body: { error: { type: 'no_shard_available_action_exception' } },
    });
  });

  it('C071: a frozen replica costs a write its bounded time, not more, and then its copy', async () => {
    replica.signal('SIGSTOP');
    const answer = await one('frozen');
    expect(answer).toMatchObject({
      results: [{ status: 201, shards: { failed: 1, failures: [{ status: 'GATEWAY_TIMEOUT' }] } }],
    });
    replica.signal('SIGCONT');
  });

  it('a primary killed with -9 under load has on its disk, and its replica’s, all it acknowledged', async () => {
    const load = keepWriting('b');
    await eventually(async () => (await sourcesAt(cluster, replica, index, ['b-0-3']))[0] !== null, 20_000);
    primary.signal('SIGKILL');
    await primary.ended;
    const acknowledged = await load.end();
    const back = await cluster.start('dn1');
    for (const node of [back, replica])
      expect(await sourcesAt(cluster, node, index, acknowledged)).not.toContain(null);
  });

  it('I6, C101, C062: a frozen Redis delays no write; only a lost copy then keeps writes from being acknowledged', async () => {
    process.kill(cluster.redis.pid, 'SIGSTOP');
    try {
      for (const id of ['c1', 'c2', 'c3']) expect(isAcknowledged(await one(id))).toBe(true);
      replica.signal('SIGKILL');
      await replica.ended;
      expect(await one('c4')).toMatchObject({
        results: [{ ok: false, status: 503, error: { type: 'unavailable_shards_exception' } }],
      });
    } finally {
      process.kill(cluster.redis.pid, 'SIGCONT');
    }
    await eventually(async () => (await shardOnTheBus())?.replicas.length === 0, 20_000);
    expect(await one('c5')).toMatchObject({ results: [{ status: 201 }] });
  });

  it('C152: ends with code 0 after a SIGTERM under load, with all it acknowledged', async () => {
    const load = keepWriting('d');
    await eventually(async () => (await sourcesAt(cluster, primary, index, ['d-0-3']))[0] !== null, 20_000);
    primary.signal('SIGTERM');
    expect(await primary.ended).toBe(0);
    const acknowledged = await load.end();
    const back = await cluster.start('dn1');
    expect(await sourcesAt(cluster, back, index, acknowledged)).not.toContain(null);
  });
});
