import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  type Cluster,
  indexOperation,
  shardRequestFor,
  sourcesAt,
  startCluster,
  write,
} from '../../support/data-nodes.ts';

jest.setTimeout(60_000);

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster(2);
});
afterAll(() => cluster.stop());

describe('a write over two real data nodes', () => {
  it('is on primary and replica byte for byte when it is acknowledged', async () => {
    const index = await cluster.createIndex('logs');
    const primary = cluster.nodeOf(index.shards[0]?.primary?.node);
    const replica = cluster.nodeOf(index.shards[0]?.replicas[0]?.node);
    const answer = await write(
      cluster,
      primary,
      shardRequestFor(index, [indexOperation('a'), indexOperation('b')]),
    );
    expect(answer).toMatchObject({
      outcome: 'applied',
      results: [
        { ok: true, status: 201, shards: { total: 2, successful: 2, failed: 0 } },
        { ok: true, status: 201, shards: { total: 2, successful: 2, failed: 0 } },
      ],
      stats: { id: primary.id, name: primary.name },
    });
    for (const node of [primary, replica])
      expect(await sourcesAt(cluster, node, index, ['a', 'b', 'c'])).toEqual([
        '{"id":"a"}',
        '{"id":"b"}',
        null,
      ]);
  });
});
