import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { BusMemory, seededRng, type UnreliableBus } from '@weir/shared/testing';
import {
  askJson,
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

beforeEach(async () => {
  memory = new BusMemory(seededRng(1));
  cluster = await startCluster(0, memory.bus());
  // However busy this machine is: what is refused is another test's matter.
  await cluster.set({ 'weir.admission.mode': 'disabled' });
});
afterEach(() => cluster.stop());

const start = async (name: string): Promise<UnreliableBus> => {
  const bus = memory.bus();
  await cluster.startNode(name, { bus });
  return bus;
};

describe('a data node that stops', () => {
  it('C152: gives writes in flight their real results, and has all it acknowledged after a restart', async () => {
    await start('dn1');
    await start('dn2');
    const index = await cluster.placeIndex('logs', ['dn1', 'dn2']);
    const ids = Array.from({ length: 60 }, (_, number) => `d${number}`);
    const writes = ids.map((id) =>
      write(cluster, cluster.node('dn1'), shardRequestFor(index, [indexOperation(id)])),
    );
    // The first answer shows that the others are in the node, not on their way.
    await Promise.race(writes);
    const [answers] = await Promise.all([Promise.allSettled(writes), cluster.node('dn1').stop(10_000)]);
    const acknowledged = ids.filter((_, position) => {
      const answer = answers[position];
      return (
        answer?.status === 'fulfilled' && answer.value.outcome === 'applied' && answer.value.results[0]?.ok
      );
    });
    expect(acknowledged.length).toBeGreaterThan(0);
    for (const answer of answers)
      if (answer.status === 'fulfilled') expect(answer.value.outcome).not.toBe('failed');

    await start('dn1');
    for (const name of ['dn1', 'dn2'])
      expect(await sourcesAt(cluster, cluster.node(name), index, acknowledged)).not.toContain(null);
  });

  it('leaves its directory to the next one, also when it could not start at all', async () => {
    await start('dn1');
    await expect(start('dn1')).rejects.toMatchObject({
      code: 'config',
      message: expect.stringContaining('in use'),
    });
    const taken = new URL(cluster.node('dn1').origin).port;
    await expect(cluster.startNode('dn2', { argv: ['--http-port', taken] })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    await start('dn2');
  });
});

describe('what a data node keeps', () => {
  it('I9: fills an emptied bus again with indices and persistent settings, also after a restart of everything', async () => {
    await start('dn1');
    const index = await cluster.createIndex('kept', { number_of_replicas: 0 });
    await cluster.set({ 'weir.log.refusals_per_second': 7 });
    await write(cluster, cluster.node('dn1'), shardRequestFor(index, [indexOperation('a')]));
    await cluster.node('dn1').stop(1_000);
    await cluster.metadata.close();
    await cluster.settings.close();
    memory.lose();
    await start('dn1');
    const { entries } = await memory.bus().readTable('indices');
    expect(JSON.parse(entries.get('kept')?.value ?? '{}')).toMatchObject({ uuid: index.uuid });
    const settings = await memory.bus().readTable('settings');
    expect(JSON.stringify([...settings.entries])).toContain('weir.log.refusals_per_second');
    expect(await sourcesAt(cluster, cluster.node('dn1'), index, ['a'])).toEqual(['{"id":"a"}']);
  });

  it('throws away the copies of a deleted index, also of one that was deleted or made anew while it was away', async () => {
    await start('dn1');
    const [one, two, three] = [
      await cluster.createIndex('gone', { number_of_replicas: 0 }),
      await cluster.createIndex('gone-meanwhile', { number_of_replicas: 0 }),
      await cluster.createIndex('anew', { number_of_replicas: 0 }),
    ];
    for (const index of [one, two, three])
      await write(cluster, cluster.node('dn1'), shardRequestFor(index, [indexOperation('a')]));
    const documents = async (): Promise<unknown> => {
      const { body } = await askJson(cluster, cluster.node('dn1'), '/_nodes/_local/stats/indices');
      const { nodes } = body as { nodes: Record<string, { indices: { docs: { count: number } } }> };
      return nodes[cluster.node('dn1').id]?.indices.docs.count;
    };
    expect(await documents()).toBe(3);
    await cluster.metadata.delete('gone');
    await eventually(async () => (await documents()) === 2);

    await cluster.node('dn1').stop(1_000);
    await cluster.metadata.delete('gone-meanwhile');
    await cluster.metadata.delete('anew');
    await cluster.createIndex('anew', { number_of_replicas: 0 });
    await start('dn1');
    await eventually(async () => (await documents()) === 0);
    expect(
      await write(cluster, cluster.node('dn1'), shardRequestFor(three, [indexOperation('a')])),
    ).toMatchObject({
      outcome: 'failed',
      code: 'index_not_found',
    });
  });

  it('keeps copies of an index that the bus does not know: unknown is not deleted', async () => {
    const bus = await start('dn1');
    const index = await cluster.createIndex('dangling', { number_of_replicas: 0 });
    await write(cluster, cluster.node('dn1'), shardRequestFor(index, [indexOperation('a')]));
    bus.isDown = true;
    memory.lose();
    bus.isDown = false;
    await eventually(async () => (await memory.bus().readTable('indices')).entries.has('dangling'));
    expect(await sourcesAt(cluster, cluster.node('dn1'), index, ['a'])).toEqual(['{"id":"a"}']);
  });
});

describe('readiness of a data node', () => {
  it('is only degraded while the bus is away, and writes go on', async () => {
    const bus = await start('dn1');
    const index = await cluster.createIndex('alone', { number_of_replicas: 0 });
    expect((await askJson(cluster, cluster.node('dn1'), '/readyz?verbose')).body).toMatchObject({
      status: 'ready',
      checks: { bus: { status: 'ok' }, engine: { status: 'ok' }, metadata: { status: 'ok' } },
    });
    bus.isDown = true;
    const { status, body } = await askJson(cluster, cluster.node('dn1'), '/readyz?verbose');
    expect([status, body]).toMatchObject([200, { checks: { bus: { status: 'degraded' } } }]);
    expect(
      await write(cluster, cluster.node('dn1'), shardRequestFor(index, [indexOperation('a')])),
    ).toMatchObject({
      results: [{ status: 201 }],
    });
  });
});
