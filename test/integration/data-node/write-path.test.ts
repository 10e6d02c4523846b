import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { DataNode } from '@weir/datanode';
import { encodeShardRequest, INTERNAL_PATHS } from '@weir/shared';
import { seededRng } from '@weir/shared/testing';
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

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster(2);
  // However busy this machine is: what is refused is another test's matter.
  await cluster.set({ 'weir.admission.mode': 'disabled' });
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

  it('I7: holds nothing any more once its clients have broken off at random moments, and stores whole requests only', async () => {
    const index = await cluster.createIndex('aborted');
    const { primary, replica } = cluster.copiesOf(index);
    const rng = seededRng(5);
    const calls = Array.from({ length: 150 }, (_, number) => {
      const operations = ['x', 'y'].map((part) =>
        indexOperation(`${number}-${part}`, { pad: 'z'.repeat(5_000) }),
      );
      const body = encodeShardRequest(shardRequestFor(index, operations));
      const timeoutMs = 1 + Math.floor(rng.next() * 60);
      const path = INTERNAL_PATHS.primary;
      return cluster.http
        .call({ origin: primary.origin, path, method: 'POST', body, timeoutMs })
        .catch(() => undefined);
    });
    const answers = await Promise.all(calls);
    expect(answers).toContain(undefined);
    const holdsNothing = async (node: DataNode) => {
      const { body } = await askJson(cluster, node, '/_nodes/_local/stats/indexing_pressure,thread_pool');
      const text = JSON.stringify(body);
      return text.includes('"all_in_bytes":0') && text.includes('"queue":0');
    };
    const ids = answers.flatMap((_, number) => [`${number}-x`, `${number}-y`]);
    let here: Awaited<ReturnType<typeof sourcesAt>> = [];
    // A request whose client is gone may not have been read yet: nothing is held for it before, and it is still carried out after.
    await eventually(async () => {
      here = await sourcesAt(cluster, primary, index, ids);
      const there = await sourcesAt(cluster, replica, index, ids);
      const idle = (await holdsNothing(primary)) && (await holdsNothing(replica));
      return idle && isDeepStrictEqual(here, there);
    }, 30_000);
    for (const number of answers.keys())
      expect(here[2 * number] === null).toBe(here[2 * number + 1] === null);
  });

  it('C037, C068: ends at the newest version of an id on both copies, whatever order its replica hears', async () => {
    const index = await cluster.createIndex('ordered');
    const { primary, replica } = cluster.copiesOf(index);
    const writes = Array.from({ length: 40 }, (_, number) =>
      write(cluster, primary, shardRequestFor(index, [indexOperation('one', { number })])),
    );
    const seen = (await Promise.all(writes)).map((answer) =>
      answer.outcome === 'applied' ? answer.results[0] : undefined,
    );
    expect(
      seen.every((result) => result?.ok === true && 'shards' in result && result.shards.failed === 0),
    ).toBe(true);
    const [newest] = await sourcesAt(cluster, primary, index, ['one']);
    expect(await sourcesAt(cluster, replica, index, ['one'])).toEqual([newest]);
  });
});
