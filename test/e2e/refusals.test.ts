// A cluster of real processes driven into refusing by the documented settings: what clients, logs, views and counters say of it.
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { settingsVersion, untilApplied } from '../support/applied-settings.ts';
import { bulkItems } from '../support/bulk-items.ts';
import { eventually } from '../support/eventually.ts';
import { type HttpCalls, httpCalls } from '../support/http-calls.ts';
import { CPU_LIMIT_0 } from '../support/limit-zero.ts';
import { metricSum } from '../support/prometheus.ts';
import { type RunningCluster, startRunningCluster } from '../support/running-cluster.ts';

jest.setTimeout(120_000);

const SERVICES = ['c1', 'c2', 'dn1', 'dn2'] as const;
const ROLE = expect.stringMatching(/^(primary|coordinator)$/);

let cluster: RunningCluster;
beforeAll(async () => {
  cluster = await startRunningCluster({ coordinators: 2, dataNodes: 2 });
  for (const [name, shards, replicas] of [
    ['single', 1, 0],
    ['logs', 1, 1],
    ['spread', 3, 1],
  ] as const)
    await cluster.send('PUT', `/${name}`, {
      settings: { number_of_shards: shards, number_of_replicas: replicas },
    });
});
afterAll(() => cluster.stop());

const put = (settings: object) => cluster.send('PUT', '/_cluster/settings', { transient: settings });
const reset = () => put({ 'weir.*': null });
const node = (name: string): HttpCalls => httpCalls(cluster.service(name).origin);
const metrics = async (name: string): Promise<string> => (await node(name).ask('/metrics')).text;

/** Makes the whole cluster apply settings; resolves once every process has. */
async function apply(settings: object): Promise<void> {
  await put(settings);
  await untilApplied(cluster, SERVICES, await settingsVersion(cluster, 'c1'));
}

/** `admission_control` counts of one process, as the coordinator shows them. */
async function counts(name: string) {
  const { body } = await cluster.ask('/_nodes/stats/admission_control');
  type Usage = { transport: Record<'rejection_count' | 'would_refuse_count', { indexing?: number }> };
  type Stats = { name: string; admission_control: Record<string, Usage> };
  const stats = Object.values(body['nodes'] as Record<string, Stats>).find((each) => each.name === name);
  const count = (signal: string, kind: keyof Usage['transport']): number =>
    stats?.admission_control[`global_${signal}_usage`]?.transport[kind].indexing ?? 0;
  return {
    cpu: count('cpu', 'rejection_count'),
    io: count('io', 'rejection_count'),
    wouldRefuse: count('cpu', 'would_refuse_count'),
  };
}

const three = ['a', 'b', 'c'].flatMap((_id) => [{ index: { _id } }, '{"x":1}']);

describe('with cpu at limit 0', () => {
  beforeAll(() => apply(CPU_LIMIT_0));
  afterAll(reset);

  it('A9: a bulk of 3 documents to one shard is a 200 with three 429s, counted once for cpu and never for io', async () => {
    const before = await counts('c1');
    const answer = await cluster.bulk('/single/_bulk', ...three);
    expect([answer.status, answer.body['errors']]).toEqual([200, true]);
    for (const { status, error } of bulkItems(answer.body)) {
      expect([status, error?.type]).toEqual([429, 'rejected_execution_exception']);
      expect(error?.weir).toMatchObject({ signal: 'cpu', value: expect.any(Number) });
      expect(error?.reason).not.toContain('\n');
    }
    const after = await counts('c1');
    expect([after.cpu - before.cpu, after.io]).toEqual([1, 0]);
    expect((await cluster.ask('/single/_doc/a')).status).toBe(404);
  });

  it('A10: health, node stats and a change of settings succeed meanwhile', async () => {
    for (const path of [
      '/',
      '/_cluster/health',
      '/_nodes/stats',
      '/_cluster/settings',
      '/_cat/shards',
      '/livez',
    ])
      expect((await cluster.ask(path)).status).toBe(200);
    expect((await put({ 'weir.log.refusals_per_second': 20 })).body['acknowledged']).toBe(true);
    expect((await cluster.send('POST', '/logs/_search', { query: { match_all: {} } })).status).toBe(200);
  });

  it('A17: refused at the node of the primary, counted there and not at the replica, and stored on neither', async () => {
    await apply({ 'weir.admission.coordinator.enabled': false });
    const before = [await counts('dn1'), await counts('dn2')];
    const { body } = await cluster.bulk('/logs/_bulk', ...three);
    expect(bulkItems(body).map(({ status }) => status)).toEqual([429, 429, 429]);
    const primary = bulkItems(body)[0]?.error?.weir['node'];
    const after = [await counts('dn1'), await counts('dn2')];
    const added = after.map(({ cpu }, at) => cpu - (before[at]?.cpu ?? 0));
    expect(added).toEqual(primary === 'dn1' ? [1, 0] : [0, 1]);
    const copies = JSON.parse((await cluster.ask('/_cat/shards/logs?format=json&h=prirep,docs')).text);
    expect(copies).toEqual([
      { prirep: 'p', docs: '0' },
      { prirep: 'r', docs: '0' },
    ]);
    await apply({ 'weir.admission.coordinator.enabled': null });
  });

  it('every refused shard request is one line of the log with all its fields', async () => {
    const lines = Array.from({ length: 30 }, (_, n) => [{ index: { _id: `s${n}` } }, { n }]).flat();
    const answer = await cluster.ask('/spread/_bulk', {
      method: 'POST',
      headers: {
        'content-type': 'application/x-ndjson',
        'x-opaque-id': 'shipper-7',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      },
      body: `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`,
    });
    const refusals = bulkItems(answer.body).map(({ error }) => error?.weir ?? {});
    const decisions = new Set(refusals.map((weir) => weir['decision_id']));
    expect(decisions.size).toBe(3);
    const refusedLines = () =>
      cluster
        .service('c1')
        .log()
        .filter((line) => decisions.has(line['decision_id']));
    await eventually(() => refusedLines().length === 3);
    const version = await settingsVersion(cluster, 'c1');
    for (const line of refusedLines()) {
      const {
        decision_id,
        reason,
        node: refusedBy,
        signal,
        value,
        limit,
        age_ms,
      } = refusals.find((weir) => weir['decision_id'] === line['decision_id']) ?? {};
      expect(line).toMatchObject({
        ...{ level: 'warn', msg: 'shard request refused', service: 'coordinator', role: ROLE },
        ...{ decision_id, reason, node: refusedBy, signal, value, limit, age_ms },
        ...{ index: 'spread', mode: 'enforced', opaque_id: 'shipper-7', settings_version: version },
        trace_id: '0af7651916cd43dd8448eb211c80319c',
        request_id: expect.stringMatching(/^[0-9a-f]{16}$/),
        bytes: expect.any(Number),
      });
      expect(JSON.stringify(line).length).toBeLessThan(1_024);
    }
    const sum = (field: string): number =>
      refusedLines().reduce((total, line) => total + Number(line[field]), 0);
    expect(sum('operations')).toBe(30);
    expect(
      refusedLines()
        .map((line) => line['shard'])
        .sort(),
    ).toEqual([0, 1, 2]);
  });

  it('the view, the newest rejections, the metrics and the node stats of a coordinator agree', async () => {
    for (let time = 0; time < 5; time += 1) await cluster.bulk('/spread/_bulk', ...three);
    const [text, stats, { body }] = [
      await metrics('c1'),
      await counts('c1'),
      await cluster.ask('/_weir/rejections?size=1000'),
    ];
    const kept = body['rejections'] as readonly { operations: number; bytes: number; verdict: string }[];
    const total = (field: 'operations' | 'bytes'): number => kept.reduce((sum, each) => sum + each[field], 0);
    expect(metricSum(text, 'weir_admission_decisions_total', { verdict: 'refuse' })).toBe(kept.length);
    expect(stats.cpu).toBe(kept.length);
    expect(metricSum(text, 'weir_refused_operations_total')).toBe(total('operations'));
    expect(metricSum(text, 'weir_refused_bytes_total')).toBe(total('bytes'));
    expect(metricSum(text, 'weir_bulk_operations_total', { outcome: 'refused' })).toBeGreaterThanOrEqual(
      total('operations'),
    );
    const view = (await cluster.ask('/_weir/view')).body as {
      settings_version: number;
      nodes: Record<string, Record<string, unknown>>;
    };
    expect(view.settings_version).toBe(metricSum(text, 'weir_settings_version'));
    for (const name of ['dn1', 'dn2'])
      expect(view.nodes[name]).toMatchObject({
        ...{ state: 'stressed', culprit: 'cpu' },
        would_refuse: { primary: 1, replica: 1 },
        signals: { cpu: { primary: { state: 'stressed', stress: 1 } } },
      });
  });
});

describe('in mode monitor_only at limit 0', () => {
  beforeAll(() => apply({ ...CPU_LIMIT_0, 'weir.admission.mode': 'monitor_only' }));
  afterAll(reset);

  it('A13: no item fails; one would-be refusal is counted, and no real one', async () => {
    const before = await counts('c1');
    const { body } = await cluster.bulk('/single/_bulk', ...three);
    expect(bulkItems(body).map(({ status }) => status)).toEqual([201, 201, 201]);
    const after = await counts('c1');
    expect([after.cpu - before.cpu, after.wouldRefuse - before.wouldRefuse]).toEqual([0, 1]);
    await eventually(() =>
      cluster
        .service('c1')
        .log()
        .some(({ msg, mode }) => msg === 'shard request would be refused' && mode === 'monitor_only'),
    );
  });
});
