// Processes that end without warning: what clients are told, and what is still there afterwards.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import type { HttpCalls } from '../support/http-calls.ts';
import { metricSum } from '../support/prometheus.ts';
import { type RunningCluster, startRunningCluster } from '../support/running-cluster.ts';
import { steadyTraffic } from '../support/steady-traffic.ts';

jest.setTimeout(180_000);

const SETTINGS = {
  // What admission makes of a busy machine is tested elsewhere.
  'weir.admission.mode': 'monitor_only',
  // A node that is silent is unknown after 2 s, and gone after six times that.
  'weir.admission.stats_ttl': '2s',
  'weir.stats.interval': '500ms',
};
const STATS_TTL_MS = 2_000;

let cluster: RunningCluster;
beforeAll(async () => {
  cluster = await startRunningCluster({ coordinators: 2 });
  await cluster.send('PUT', '/_cluster/settings', { persistent: SETTINGS });
});
afterAll(() => cluster.stop());

/** Ids that are not found through a coordinator. */
async function missing(calls: HttpCalls, index: string, ids: readonly string[]): Promise<readonly string[]> {
  const lost: string[] = [];
  for (let start = 0; start < ids.length; start += 1_000) {
    const { body } = await calls.send('POST', `/${index}/_mget?_source=false`, {
      ids: ids.slice(start, start + 1_000),
    });
    const documents = body['docs'] as readonly { _id: string; found?: boolean }[];
    lost.push(...documents.filter(({ found }) => found !== true).map(({ _id }) => _id));
  }
  return lost;
}

type ShardRow = { readonly shard: string; readonly prirep: string; readonly node: string | null };

async function shardRows(index: string): Promise<readonly ShardRow[]> {
  const { text: rows } = await cluster.ask(`/_cat/shards/${index}?format=json&h=shard,prirep,node`);
  return JSON.parse(rows);
}

describe('C157: a data node killed with bulks in flight', () => {
  let acknowledged: readonly string[];

  beforeAll(async () => {
    for (const name of ['crash', 'other'])
      await cluster.send('PUT', `/${name}`, { settings: { number_of_shards: 3, number_of_replicas: 1 } });
  });

  it('costs its items a 503 or 429 by rule, and nothing that was acknowledged', async () => {
    const traffic = steadyTraffic({
      ...{ calls: cluster, index: 'crash', prefix: 'k', clients: 20, bulkSize: 60 },
    });
    await eventually(() => traffic.acknowledged().length > 2_000, 30_000);
    cluster.service('dn1').signal('SIGKILL');
    expect(await cluster.service('dn1').ended).toBe('SIGKILL');
    const before = traffic.acknowledged().length;
    // The shards whose primaries are elsewhere go on.
    await eventually(() => traffic.acknowledged().length > before + 1_000, 30_000);
    await traffic.stop();
    expect(traffic.failures).toEqual([]);
    const failed = [...traffic.outcomes.values()].filter(({ status }) => status >= 300);
    expect(failed.length).toBeGreaterThan(0);
    for (const { status, type } of failed)
      expect([
        [503, 'unavailable_shards_exception'],
        [429, 'rejected_execution_exception'],
      ]).toContainEqual([status, type]);
    acknowledged = traffic.acknowledged();
    expect(await missing(cluster, 'crash', acknowledged)).toEqual([]);
  });

  it('leaves the copies of other nodes written to, and says what is missing', async () => {
    const rows = await shardRows('other');
    const onOthers = rows.find(({ prirep, node }) => prirep === 'p' && node !== 'dn1')?.shard;
    const lines = Array.from({ length: 60 }, (_, n) => [{ index: { _id: `o${n}` } }, { n }]).flat();
    const { body } = await cluster.bulk('/other/_bulk', ...lines);
    const statuses = new Set(
      (body['items'] as { index: { status: number } }[]).map(({ index }) => index.status),
    );
    expect(onOthers).toBeDefined();
    expect(statuses).toEqual(new Set([201, 503]));
    await eventually(
      async () => (await cluster.ask('/_cluster/health')).body['number_of_data_nodes'] === 2,
      30_000,
    );
    expect((await cluster.ask('/_cluster/health')).body['status']).toBe('red');
    expect((await cluster.ask('/livez')).status).toBe(200);
  });

  it('is used again once it is back, with everything it had acknowledged', async () => {
    await cluster.service('dn1').start();
    await cluster.settled();
    await eventually(async () => {
      const lines = Array.from({ length: 60 }, (_, n) => [{ index: { _id: `b${n}` } }, { n }]).flat();
      return (await cluster.bulk('/crash/_bulk', ...lines)).body['errors'] === false;
    }, 30_000);
    expect(await missing(cluster, 'crash', acknowledged)).toEqual([]);
    expect(await missing(cluster.at('c2'), 'crash', acknowledged)).toEqual([]);
  });
});

describe('a Redis that is killed', () => {
  it('C101, I5, I6: slows no bulk; writes go on, and without evidence they are admitted and counted', async () => {
    await cluster.send('PUT', '/soft', { settings: { number_of_shards: 3, number_of_replicas: 1 } });
    const traffic = steadyTraffic({
      ...{ calls: cluster, index: 'soft', prefix: 'r', clients: 4, bulkSize: 30 },
    });
    await eventually(() => traffic.acknowledged().length > 300, 30_000);
    await cluster.redis.kill();
    const killedAtMs = performance.now();
    await sleep(2 * STATS_TTL_MS);
    await traffic.stop();
    expect(traffic.failures).toEqual([]);
    expect(traffic.acknowledged()).toHaveLength(traffic.outcomes.size);
    const slowestMs = (after: boolean): number =>
      Math.max(...traffic.tookMs.filter(({ atMs }) => atMs >= killedAtMs === after).map(({ ms }) => ms));
    expect(slowestMs(true)).toBeLessThan(Math.max(2_000, 2 * slowestMs(false)));
    expect((await cluster.ask('/readyz?verbose')).body).toMatchObject({ status: 'degraded' });
    // What has to be told to everyone cannot be done now, and says so at once.
    const change = await cluster.send('PUT', '/_cluster/settings', {
      transient: { 'weir.log.refusals_per_second': 9 },
    });
    expect([change.status, change.body]).toMatchObject([503, { error: { reason: expect.any(String) } }]);
    expect(await missing(cluster, 'soft', traffic.acknowledged())).toEqual([]);

    // Nobody asks the data nodes now, so their samples do not come with answers either.
    await sleep(STATS_TTL_MS + 500);
    const unknown = async (): Promise<number> =>
      metricSum((await cluster.ask('/metrics')).text, 'weir_admission_decisions_total', {
        ...{ verdict: 'admit', reason: 'evidence_unavailable' },
      });
    const before = await unknown();
    const { body } = await cluster.bulk('/soft/_bulk', { index: { _id: 'blind' } }, '{}');
    expect([body['errors'], (await unknown()) - before]).toEqual([false, 1]);
  });

  it('I9: and comes back empty is filled again from the data nodes, settings and indices alike', async () => {
    await cluster.redis.restart();
    await cluster.settled();
    await refilled();
    const change = await cluster.send('PUT', '/_cluster/settings', {
      transient: { 'weir.log.refusals_per_second': 9 },
    });
    expect(change.status).toBe(200);
  });

  it('I9: and so is one that someone emptied', async () => {
    await cluster.redis.admin.flushall();
    await refilled();
  });

  /** Settings and indices are in Redis, and a coordinator that starts anew reads them there. */
  async function refilled(): Promise<void> {
    await eventually(async () => (await cluster.redis.admin.dbsize()) >= 3, 10_000);
    await eventually(async () => {
      const tables = await cluster.redis.admin.keys('weir:weir:table:*');
      return tables.length >= 2;
    }, 10_000);
    expect(await cluster.service('c2').stop()).toBe(0);
    await cluster.service('c2').start();
    await cluster.settled();
    const c2 = cluster.at('c2');
    expect((await c2.ask('/_cluster/settings?flat_settings=true')).body['persistent']).toEqual(SETTINGS);
    const { text: names } = await c2.ask('/_cat/indices?format=json&h=index&s=index');
    expect(JSON.parse(names).map(({ index }: { index: string }) => index)).toEqual([
      'crash',
      'other',
      'soft',
    ]);
    const write = await c2.bulk('/soft/_bulk', { index: { _id: 'after' } }, '{}');
    expect(write.body['errors']).toBe(false);
  }
});
