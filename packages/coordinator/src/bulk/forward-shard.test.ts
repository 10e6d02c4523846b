import { afterEach, describe, expect, it } from '@jest/globals';
import { type ErrorCode, shardOf, WeirError } from '@weir/shared';
import { agentsReport } from '../opensearch/agent-calls.ts';
import { type DataPath, indexOn, startDataPath } from '../testing/data-path.ts';
import { applied, type Behave, calmStats, created, refused } from '../testing/fake-data-nodes.ts';
import type { WhoReports } from './bulk-dependencies.ts';

const INDEX = indexOn('logs', ['dn1', 'dn2'], ['dn3', 'dn2']);
/** An id on shard 0, whose primary is on dn1, and one on shard 1. */
const [HERE = '', ELSEWHERE = ''] = [0, 1].map((shard) =>
  String([...Array(99).keys()].find((id) => shardOf(INDEX, String(id), undefined) === shard)),
);
const BODY = `{"index":{"_id":"${HERE}"}}\n{"m":1}\n{"index":{"_id":"${ELSEWHERE}"}}\n{"m":2}\n`;

let path: DataPath;
afterEach(() => path.stop(100));

/** Statuses, and the error of the first item, when dn1 behaves like this; dn3 applies everything. */
async function withNode(behave: Behave, query = '') {
  path = await startDataPath({ indices: [INDEX] });
  path.nodes.behave('dn1', behave);
  const answer = await path.bulk(`/logs/_bulk${query}`, BODY);
  expect(answer.status).toBe(200);
  return {
    statuses: answer.items.map((item) => item.status),
    error: answer.items[0]?.error,
    headers: answer.headers,
  };
}

const failed =
  (code: ErrorCode, message: string): Behave =>
  (_request, node) => ({ outcome: 'failed', code, message, stats: calmStats(node) });

describe('a shard request on its way', () => {
  it("C043, C055: a node's own refusal is an item 429 with the node's evidence, and the others are taken", async () => {
    const { statuses, error, headers } = await withNode(refused({ retryAfterMs: 2_300 }));
    expect(statuses).toEqual([429, 201]);
    expect(error).toMatchObject({
      type: 'rejected_execution_exception',
      weir: {
        reason: 'primary_limit',
        node: 'dn1',
        value: 520,
        limit: 400,
        age_ms: 0,
        retry_after_ms: 2_300,
        decision_id: 'd-1',
      },
    });
    expect(error?.reason).toContain(
      'refused by data node: primary_limit, queue of node [dn1] at 520 ms, limit 400 ms',
    );
    expect(headers.get('retry-after')).toBe('3');
  });

  it('C15: alone over the byte limit of its node it is an item 413 with both numbers, never a 429', async () => {
    const evidence = {
      reason: 'primary_bytes',
      signal: 'bytes',
      value: 54_215_758,
      limit: 53_687_091,
    } as const;
    const { statuses, error } = await withNode(refused(evidence, true));
    expect(statuses).toEqual([413, 201]);
    expect(error).toMatchObject({
      type: 'content_too_long_exception',
      weir: { value: 54_215_758, limit: 53_687_091 },
    });
    expect(error?.reason).toContain('larger than the whole limit of 53687091 bytes');
  });

  it.each([
    ['draining', 503, 'node_closed_exception', 'is shutting down'],
    ['disk_full', 507, 'disk_full_exception', 'bytes free'],
  ] as const)('a node that is %s is an item %i', async (reason, status, type, text) => {
    const { statuses, error } = await withNode(refused({ reason, signal: 'none', value: 5, limit: 10 }));
    expect([statuses, error?.type]).toEqual([[status, 201], type]);
    expect(error?.reason).toContain(text);
  });

  it.each([
    ['breaks off', () => Promise.reject(new WeirError('bad_gateway', 'reset', { fields: { sent: true } }))],
    [
      'answers too late',
      () => Promise.reject(new WeirError('gateway_timeout', 'late', { fields: { sent: true } })),
    ],
    ['answers nonsense', () => Buffer.from('<html>')],
    [
      'answers for fewer operations',
      (_request, node) => ({ outcome: 'applied', results: [], stats: calmStats(node) }),
    ],
  ] as readonly [string, Behave][])(
    'C044, C157: a node that %s is an item 503, and is not asked again',
    async (_name, behave) => {
      const { statuses, error } = await withNode(behave);
      expect([statuses, error?.type]).toEqual([[503, 201], 'unavailable_shards_exception']);
      expect(error?.reason).toContain('may have been applied: ');
      expect(path.nodes.requests.filter((request) => request.node === 'dn1')).toHaveLength(1);
      expect(path.reported).toEqual([]);
    },
  );

  it('says that a write may have been applied when the connection broke after it was sent', async () => {
    const { error } = await withNode(() =>
      Promise.reject(new WeirError('bad_gateway', 'reset', { fields: { sent: true } })),
    );
    expect(error?.reason).toBe('[logs][0] the write is not acknowledged and may have been applied: reset');
    expect(error).toMatchObject({ index: 'logs', shard: '0', index_uuid: 'uuid-of-logs' });
  });

  it('is tried again, after a look at the topology, while nothing of it can have arrived', async () => {
    let tries = 0;
    const { statuses } = await withNode((request, node) => {
      tries += 1;
      if (tries < 3) throw new WeirError('bad_gateway', 'ECONNREFUSED', { fields: { sent: false } });
      return applied(request, node);
    });
    expect([statuses, tries, path.topology.refreshes]).toEqual([[201, 201], 3, 2]);
    expect(path.decisions.filter(({ context }) => context.shard === 0)).toHaveLength(1);
  });

  it('goes to the new primary when the shard has moved meanwhile', async () => {
    const { statuses } = await withNode((request, node) => {
      const shards = INDEX.shards.map((shard) => ({
        ...shard,
        primary_term: 2,
        primary: { node: 'dn2', allocation_id: 'x' },
      }));
      path.topology.known.set('logs', { ...INDEX, shards });
      return failed('no_shard_available', 'not here')(request, node);
    });
    expect(statuses).toEqual([201, 201]);
    expect(path.nodes.requests.at(-1)).toMatchObject({ node: 'dn2', primaryTerm: 2 });
  });

  it('is sent again where its primary term is too old, and is a 503 where it stays so, never a 409 of its documents', async () => {
    let asked = 0;
    const { statuses, error } = await withNode((request, node) => {
      asked += 1;
      return failed('version_conflict', 'operation primary term [1] is too old (current [2])')(request, node);
    }, '?timeout=300ms');
    expect([statuses, error?.type]).toEqual([[503, 201], 'unavailable_shards_exception']);
    expect(asked).toBeGreaterThan(1);
  });

  it('C157: is a 503 within two seconds where its node stays away', async () => {
    const { statuses, error } = await withNode(
      () => Promise.reject(new WeirError('bad_gateway', 'dn1: ECONNREFUSED', { fields: { sent: false } })),
      '?timeout=300ms',
    );
    expect([statuses, error?.type]).toEqual([[503, 201], 'unavailable_shards_exception']);
    expect(error?.reason).toBe('[logs][0] dn1: ECONNREFUSED');
  });

  it('counts no work for its nodes while none of it arrives', async () => {
    path = await startDataPath({ indices: [INDEX] });
    for (const node of ['dn1', 'dn2']) path.hear(calmStats(node));
    path.nodes.behave('dn1', () =>
      Promise.reject(new WeirError('bad_gateway', 'dn1: ECONNREFUSED', { fields: { sent: false } })),
    );
    await path.bulk('/logs/_bulk?timeout=300ms', `{"index":{"_id":"${HERE}"}}\n{"m":1}\n`);
    const nowMs = path.deps.clock.nowMs();
    expect(['dn1', 'dn2'].map((node) => path.view.node(node)?.load.arrivals(nowMs))).toEqual([0, 0]);
  });

  it.each<[string, WhoReports, string, readonly boolean[]]>([
    ['of each data node', (copies) => copies, '', [true, true]],
    ["of the primary's agent", agentsReport, '', [true, false]],
    ['of no agent while the client waits for a refresh', agentsReport, '?refresh=wait_for', [false, false]],
    ['of no agent while it waits for copies', agentsReport, '?wait_for_active_shards=all', [false, false]],
  ])('counts as work %s what it will publish', async (_name, whoReports, query, counted) => {
    path = await startDataPath({ indices: [INDEX], change: { whoReports } });
    for (const node of ['dn1', 'dn2']) path.hear(calmStats(node, { seq: 2 }));
    await path.bulk(`/logs/_bulk${query}`, `{"index":{"_id":"${HERE}"}}\n{"m":1}\n`);
    const nowMs = path.deps.clock.nowMs();
    const arrived = ['dn1', 'dn2'].map((node) => Number(path.view.node(node)?.load.arrivals(nowMs)) > 0);
    expect(arrived).toEqual(counted);
  });

  it.each<[string, WhoReports]>([
    ['counts what it takes', (copies) => copies],
    ['does not', agentsReport],
  ])("believes a replica's node that would not give a permit, where it %s", async (_name, whoReports) => {
    path = await startDataPath({ indices: [INDEX], change: { whoReports } });
    for (const node of ['dn1', 'dn2']) path.hear(calmStats(node, { seq: 2 }));
    path.nodes.behave('dn1', refused({ reason: 'replica_limit', role: 'replica', node: 'dn2', value: 800 }));
    await path.bulk('/logs/_bulk', `{"index":{"_id":"${HERE}"}}\n{"m":1}\n`);
    expect(path.view.node('dn2')?.load.delayMs(path.deps.clock.nowMs())).toBeGreaterThan(500);
  });

  it('is a 503 where the shard has no primary, and a 404 where the index went away', async () => {
    path = await startDataPath({
      indices: [{ ...INDEX, shards: INDEX.shards.map((shard) => ({ ...shard, primary: null })) }],
    });
    const absent = await path.bulk('/logs/_bulk?timeout=100ms', BODY);
    expect(absent.items.map((item) => [item.status, item.error?.type])).toEqual([
      [503, 'unavailable_shards_exception'],
      [503, 'unavailable_shards_exception'],
    ]);
    await path.stop(100);
    const { statuses, error } = await withNode((request, node) => {
      path.topology.known.delete('logs');
      return failed('index_not_found', 'no such index [logs]')(request, node);
    });
    expect([statuses, error?.type]).toEqual([[404, 404], 'index_not_found_exception']);
  });

  it('C069: what a node fails for is what its items say', async () => {
    const { statuses, error } = await withNode(failed('unavailable_shards', 'Not enough active copies'));
    expect([statuses, error?.reason]).toEqual([[503, 201], 'Not enough active copies']);
  });

  it('passes on the results of single operations as they are', async () => {
    const conflict = {
      type: 'version_conflict_engine_exception',
      reason: '[1]: version conflict',
      index: 'logs',
      shard: '0',
    };
    const { statuses, error } = await withNode((_request, node) => ({
      outcome: 'applied',
      results: [{ ok: false, status: 409, error: conflict }],
      stats: calmStats(node),
    }));
    expect([statuses, error]).toEqual([[409, 201], conflict]);
  });

  it('C122: leaves a conflict a 409; only refusals are 429', async () => {
    const { statuses } = await withNode((request, node) => ({
      outcome: 'applied',
      results: request.operations.map(created),
      stats: calmStats(node),
    }));
    expect(statuses).toEqual([201, 201]);
  });

  it('learns the state of the node from its answer, and what it sent there', async () => {
    await withNode(refused({}));
    expect(path.view.node('dn1')?.stats.seq).toBe(2);
    await path.bulk('/logs/_bulk', BODY);
    expect(path.view.node('dn3')?.load.arrivals(path.deps.clock.nowMs())).toBeGreaterThan(0);
  });

  it('I8: gives the node less time than it waits itself', async () => {
    await withNode(applied, '?timeout=2s');
    const [call] = path.nodes.calls;
    const [request] = path.nodes.requests;
    expect(request?.timeoutMs).toBeLessThanOrEqual(call?.timeoutMs ?? 0);
    expect(call?.timeoutMs).toBeLessThanOrEqual(2_000);
    await path.bulk('/logs/_bulk?timeout=10d', BODY);
    expect(path.nodes.calls.at(-1)?.timeoutMs).toBe(55_000);
  });

  it('of very many operations goes in parts, one after the other, and is answered in the order of the items', async () => {
    path = await startDataPath({ indices: [INDEX] });
    let atOnce = 0;
    path.nodes.behave('dn1', async (request, node) => {
      atOnce += 1;
      expect(atOnce).toBe(1);
      await path.deps.yieldToLoop();
      atOnce -= 1;
      return applied(request, node);
    });
    const { items } = await path.bulk('/logs/_bulk', `{"index":{"_id":"${HERE}"}}\n{}\n`.repeat(12_000));
    expect(path.nodes.requests.map((request) => request.operations.length)).toEqual([5_000, 5_000, 2_000]);
    expect(items.every((item) => item.status === 201)).toBe(true);
    expect(path.decisions).toHaveLength(1);
  });

  it.each([
    ['refused', refused({}), 429],
    ['failed', () => Buffer.from('x'), 503],
  ] as readonly [string, Behave, number][])(
    'whose part was %s sends nothing behind it, so that the order on one id holds',
    async (_name, behave, status) => {
      path = await startDataPath({ indices: [INDEX] });
      let parts = 0;
      path.nodes.behave('dn1', (request, node) => {
        parts += 1;
        return parts === 2 ? behave(request, node) : applied(request, node);
      });
      const { items } = await path.bulk('/logs/_bulk', `{"index":{"_id":"${HERE}"}}\n{}\n`.repeat(12_000));
      expect(parts).toBe(2);
      expect([0, 4_999, 5_000, 11_999].map((place) => items[place]?.status)).toEqual([
        201,
        201,
        status,
        status,
      ]);
      if (status === 503)
        expect(items[11_999]?.error?.reason).toMatch(/^not sent, because operations before it/);
    },
  );

  it('sends a digest only when a decision needed one', async () => {
    await withNode(applied);
    expect(path.nodes.requests.map((request) => request.digest)).toEqual([0, 0]);
  });
});
