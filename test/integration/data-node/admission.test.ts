import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ShardAnswer } from '@weir/shared';
import {
  askJson,
  type Cluster,
  indexOperation,
  limitZero,
  rejectionsAt,
  shardRequestFor,
  sourcesAt,
  startCluster,
  write,
} from '../../support/data-nodes.ts';
import { eventually } from '../../support/eventually.ts';

type Memory = { readonly current: Record<string, number>; readonly total: Record<string, number> };

jest.setTimeout(60_000);

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster(3);
  // A signal refuses nothing until it was measured over its whole window.
  for (const node of ['dn1', 'dn2', 'dn3'].map((name) => cluster.node(name)))
    await eventually(async () => {
      const { body } = await askJson(cluster, node, '/_nodes/_local/stats/resource_usage_stats');
      return JSON.stringify(body).includes('cpu_utilization_percent');
    }, 15_000);
});
afterEach(() => cluster.set({ 'weir.*': null }));
afterAll(() => cluster.stop());

const reasonOf = (answer: ShardAnswer) =>
  answer.outcome === 'refused' ? answer.evidence.reason : answer.outcome;
const pressureAt = async (name: string) => {
  const node = cluster.node(name);
  const { body } = await askJson(cluster, node, '/_nodes/_local/stats/indexing_pressure');
  const { nodes } = body as { nodes: Record<string, { indexing_pressure: { memory: Memory } }> };
  const memory = nodes[node.id]?.indexing_pressure.memory;
  return {
    bytesInFlight: memory?.current['all_in_bytes'] ?? Number.NaN,
    replicaRejections: memory?.total['replica_rejections'] ?? Number.NaN,
  };
};
const countOf = (stats: Record<string, unknown>) =>
  (stats['rejection_count'] as { indexing?: number }).indexing ?? 0;
const three = ['x', 'y', 'z'].map((id) => indexOperation(id));

describe('the guards of two real data nodes', () => {
  it('A9, A5: refuse a bulk of three documents at cpu limit 0 as one shard request, counted once for cpu and not for io', async () => {
    const index = await cluster.createIndex('a9', { number_of_replicas: 0 });
    const primary = cluster.nodeOf(index.shards[0]?.primary?.node);
    const before = await rejectionsAt(cluster, primary, 'cpu');
    await cluster.set(limitZero('cpu'));
    const answer = await write(cluster, primary, shardRequestFor(index, three));
    expect(answer).toMatchObject({
      outcome: 'refused',
      permanent: false,
      evidence: { reason: 'primary_limit', signal: 'cpu', limit: 0, node: primary.name },
    });
    expect(countOf(await rejectionsAt(cluster, primary, 'cpu'))).toBe(countOf(before) + 1);
    expect(await rejectionsAt(cluster, primary, 'io')).toMatchObject({ rejection_count: {} });
  });

  it('A10, I11: answer health, stats and a settings change while they refuse every write', async () => {
    await cluster.set(limitZero('cpu'));
    const node = cluster.node('dn1');
    for (const path of ['/livez', '/readyz', '/_nodes/_local/stats', '/metrics', '/'])
      expect(
        (await cluster.http.call({ origin: node.origin, path, method: 'GET', timeoutMs: 5_000 })).status,
      ).toBe(200);
    await cluster.set({ 'weir.admission.mode': 'disabled' });
    const index = await cluster.createIndex('a10');
    expect(
      reasonOf(await write(cluster, cluster.copiesOf(index).primary, shardRequestFor(index, three))),
    ).toBe('applied');
  });

  it('A17, I2: refuse at the primary alone, and the document is on neither node', async () => {
    const index = await cluster.createIndex('a17');
    const { primary, replica } = cluster.copiesOf(index);
    const [before, replicaBefore] = await Promise.all([
      rejectionsAt(cluster, primary, 'cpu'),
      rejectionsAt(cluster, replica, 'cpu'),
    ]);
    await cluster.set(limitZero('cpu'));
    expect(reasonOf(await write(cluster, primary, shardRequestFor(index, three)))).toBe('primary_limit');
    expect(countOf(await rejectionsAt(cluster, primary, 'cpu'))).toBe(countOf(before) + 1);
    expect(await rejectionsAt(cluster, replica, 'cpu')).toEqual(replicaBefore);
    await cluster.set({ 'weir.*': null });
    for (const node of [primary, replica])
      expect(await sourcesAt(cluster, node, index, ['x', 'y', 'z'])).toEqual([null, null, null]);
  });

  it('A6, A13: admit at an ordinary limit, and in monitor_only at limit 0, counting what would be refused', async () => {
    const index = await cluster.createIndex('a13');
    const { primary } = cluster.copiesOf(index);
    const before = await rejectionsAt(cluster, primary, 'cpu');
    expect(reasonOf(await write(cluster, primary, shardRequestFor(index, three)))).toBe('applied');
    expect(await rejectionsAt(cluster, primary, 'cpu')).toEqual(before);
    await cluster.set({ ...limitZero('cpu', ['primary', 'replica']), 'weir.admission.mode': 'monitor_only' });
    expect(reasonOf(await write(cluster, primary, shardRequestFor(index, three)))).toBe('applied');
    expect(await rejectionsAt(cluster, primary, 'cpu')).toMatchObject({
      ...{ rejection_count: before['rejection_count'] },
      would_refuse_count: { indexing: 1 },
    });
  });

  it.each(['retry', 'let_pass'])(
    'I1, I7: what a primary has applied is never refused any more: a replica at its limit is asked again (%s)',
    async (policy) => {
      const indices = [
        await cluster.placeIndex(`i1-${policy}-a`, ['dn1', 'dn3']),
        await cluster.placeIndex(`i1-${policy}-b`, ['dn2', 'dn3']),
      ];
      await cluster.set({
        'weir.indexing_pressure.limit': '1mb',
        'weir.indexing_pressure.replica_factor': 1,
        'weir.replication.on_replica_refusal': policy,
        // Else the replica would be asked first.
        'weir.replication.reserve': 'never',
      });
      const before = await pressureAt('dn3');
      const large = indexOperation('large', { text: 'x'.repeat(600_000) });
      let answers: ShardAnswer[] = [];
      const both = async (): Promise<boolean> => {
        const calls = indices.map((index) =>
          write(cluster, cluster.copiesOf(index).primary, shardRequestFor(index, [large])),
        );
        answers = answers.concat(await Promise.all(calls));
        return (await pressureAt('dn3')).replicaRejections > before.replicaRejections;
      };
      await eventually(both, 30_000);
      for (const answer of answers)
        expect(answer).toMatchObject({
          outcome: 'applied',
          results: [{ shards: { successful: 2, failed: 0 } }],
        });
      for (const name of ['dn1', 'dn2', 'dn3']) expect((await pressureAt(name)).bytesInFlight).toBe(0);
    },
    60_000,
  );

  it('I1, I2, I7: a replica that is asked first refuses before anything is applied, and no permit is left', async () => {
    const indices = [
      await cluster.placeIndex('permit-a', ['dn1', 'dn3']),
      await cluster.placeIndex('permit-b', ['dn2', 'dn3']),
    ];
    await cluster.set({
      'weir.indexing_pressure.limit': '1mb',
      'weir.indexing_pressure.replica_factor': 1,
      'weir.replication.reserve': 'always',
    });
    let tries = 0;
    const oneIsRefused = async (): Promise<boolean> => {
      tries += 1;
      const large = indexOperation(`large-${tries}`, { text: 'x'.repeat(600_000) });
      const outcomes = await Promise.all(
        indices.map(async (index) => {
          const { primary, replica } = cluster.copiesOf(index);
          const answer = await write(cluster, primary, shardRequestFor(index, [large]));
          const stored = await Promise.all(
            [primary, replica].map((node) => sourcesAt(cluster, node, index, [`large-${tries}`])),
          );
          const present = stored.flat().map((source) => source !== null);
          expect(present).toEqual(answer.outcome === 'applied' ? [true, true] : [false, false]);
          return reasonOf(answer);
        }),
      );
      return outcomes.includes('replica_bytes');
    };
    await eventually(oneIsRefused, 30_000);
    for (const name of ['dn1', 'dn2', 'dn3'])
      await eventually(async () => (await pressureAt(name)).bytesInFlight === 0);
  }, 60_000);

  it('C15: what alone is over the byte limit is refused for good, with both numbers', async () => {
    const index = await cluster.createIndex('c15');
    const { primary } = cluster.copiesOf(index);
    await cluster.set({ 'weir.indexing_pressure.limit': '1mb' });
    const large = indexOperation('large', { text: 'x'.repeat(1_100_000) });
    const request = shardRequestFor(index, [large]);
    expect(await write(cluster, primary, request)).toMatchObject({
      outcome: 'refused',
      permanent: true,
      evidence: { reason: 'primary_bytes', signal: 'bytes', value: request.bytes, limit: 1024 * 1024 },
    });
    expect((await pressureAt(primary.name)).bytesInFlight).toBe(0);
  });
});
