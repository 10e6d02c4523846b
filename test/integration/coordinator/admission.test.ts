import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { startWholeCluster, type WholeCluster } from '../../support/whole-cluster.ts';

let cluster: WholeCluster;

/** Data nodes start threads of their own, and the machine may be busy. */
jest.setTimeout(60_000);

/** Limit 0 for cpu, as the conformance cases mean it: a step at 0 that refuses everything. */
const CPU_LIMIT_0 = {
  'weir.admission.corroborate': false,
  'weir.admission.max_shed_ratio': 1,
  'weir.admission.leave_margin': 0,
  ...Object.fromEntries(
    ['primary', 'replica'].flatMap((role) => [
      [`weir.admission.cpu.${role}.soft`, 0],
      [`weir.admission.cpu.${role}.hard`, 0],
    ]),
  ),
};

/** Everything runs in one process: on a busy machine the coordinator itself is past its own limit. */
const STRESSED = expect.stringMatching(/^(primary|coordinator)_stressed$/);

type Items = { readonly index: { readonly status: number; readonly error?: { readonly type: string } } }[];

beforeAll(async () => {
  cluster = await startWholeCluster(2);
  await cluster.send('PUT', '/logs', { settings: { number_of_shards: 1, number_of_replicas: 1 } });
  await cluster.bulk('/logs/_bulk', { index: { _id: 'before' } }, '{}');
  // The averages of cpu need their first window before they are known.
  await eventually(async () => {
    const { body } = await cluster.ask('/_weir/view');
    const nodes = Object.values(body['nodes'] as Record<string, { signals: { cpu: { quality: string } } }>);
    return nodes.every(({ signals }) => signals.cpu.quality === 'ok');
  }, 15_000);
});
afterAll(() => cluster.stop());

const refused = async (): Promise<boolean> => {
  const { body } = await cluster.bulk('/logs/_bulk', { index: { _id: 'probe' } }, '{}');
  return (body['items'] as Items)[0]?.index.status === 429;
};

describe('while every data node is past its limit', () => {
  beforeAll(async () => {
    await cluster.send('PUT', '/_cluster/settings', { transient: CPU_LIMIT_0 });
    await eventually(refused, 5_000);
  });
  afterAll(async () => {
    await cluster.send('PUT', '/_cluster/settings', { transient: { 'weir.*': null } });
  });

  it('A9, C042, C043: a bulk is a 200 whose items are all 429, and none of them was stored', async () => {
    const before = await admissionCounts('c1');
    const lines = ['a', 'b', 'c'].flatMap((_id) => [{ index: { _id } }, '{"x":1}']);
    const answer = await cluster.bulk('/logs/_bulk', ...lines);
    expect([answer.status, answer.body['errors']]).toEqual([200, true]);
    for (const { index } of answer.body['items'] as Items)
      expect(index).toMatchObject({
        status: 429,
        error: {
          type: 'rejected_execution_exception',
          weir: { reason: STRESSED, signal: 'cpu' },
        },
      });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await cluster.ask('/logs/_doc/a')).status).toBe(404);
    const after = await admissionCounts('c1');
    expect(after.cpu - before.cpu).toBe(1);
    expect(after.io).toBe(0);
  });

  it('A10, I11, C050: health, stats and settings answer as ever', async () => {
    for (const path of [
      '/',
      '/_cluster/health',
      '/_cluster/settings',
      '/_nodes/stats',
      '/metrics',
      '/livez',
      '/logs/_search',
    ]) {
      const startMs = performance.now();
      expect((await cluster.ask(path)).status).toBe(200);
      expect(performance.now() - startMs).toBeLessThan(1_000);
    }
    const put = await cluster.send('PUT', '/_cluster/settings', {
      transient: { 'weir.log.refusals_per_second': 7 },
    });
    expect(put.status).toBe(200);
  });

  it('each refusal is found in the log, in the newest rejections, and by its decision id', async () => {
    const { body } = await cluster.bulk('/logs/_bulk', { index: { _id: 'x' } }, '{}');
    const item = (body['items'] as { index: { error: { weir: { decision_id: string } } } }[])[0];
    const id = item?.index.error.weir.decision_id ?? '';
    expect(cluster.log.find((line) => line['decision_id'] === id)).toMatchObject({
      level: 'warn',
      message: 'shard request refused',
      reason: STRESSED,
      index: 'logs',
      shard: 0,
      operations: 1,
    });
    expect((await cluster.ask('/_weir/rejections?size=1')).body).toMatchObject({
      rejections: [{ decision_id: id }],
    });
    expect((await cluster.ask(`/_weir/explain/${id}`)).body).toMatchObject({ reason: STRESSED });
  });

  it('a single document is refused with a plain 429 and Retry-After', async () => {
    const answer = await cluster.send('PUT', '/logs/_doc/single', {});
    expect([answer.status, answer.body]).toMatchObject([
      429,
      { error: { type: 'rejected_execution_exception' }, status: 429 },
    ]);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});

describe('in mode monitor_only', () => {
  it('A13, C142: nothing is refused, and what would be is counted apart', async () => {
    await cluster.send('PUT', '/_cluster/settings', {
      transient: { ...CPU_LIMIT_0, 'weir.admission.mode': 'monitor_only' },
    });
    await eventually(async () => {
      await cluster.bulk('/logs/_bulk', { index: { _id: 'm' } }, '{}');
      return cluster.log.some((line) => line.message === 'shard request would be refused');
    });
    const before = await admissionCounts('c1');
    const answer = await cluster.bulk('/logs/_bulk', { index: { _id: 'm' } }, '{}');
    expect(answer.body['errors']).toBe(false);
    const after = await admissionCounts('c1');
    expect([after.cpu - before.cpu, after.wouldRefuse - before.wouldRefuse]).toEqual([0, 1]);
    await cluster.send('PUT', '/_cluster/settings', { transient: { 'weir.*': null } });
  });
});

type Usage = { transport: Record<'rejection_count' | 'would_refuse_count', { indexing?: number }> };

/** Counts of one node in `_nodes/stats/admission_control`. */
async function admissionCounts(name: string) {
  const { body } = await cluster.ask('/_nodes/stats/admission_control');
  const nodes = Object.values(
    body['nodes'] as Record<string, { name: string; admission_control: Record<string, Usage> }>,
  );
  const own = nodes.find((node) => node.name === name)?.admission_control ?? {};
  const count = (signal: string, kind: keyof Usage['transport']): number =>
    own[`global_${signal}_usage`]?.transport[kind].indexing ?? 0;
  return {
    cpu: count('cpu', 'rejection_count'),
    io: count('io', 'rejection_count'),
    wouldRefuse: count('cpu', 'would_refuse_count'),
  };
}
