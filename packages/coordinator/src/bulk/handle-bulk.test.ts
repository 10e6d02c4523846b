import { afterEach, describe, expect, it } from '@jest/globals';
import { shardOf, UNKNOWN_STRESS, WeirError } from '@weir/shared';
import { DEFAULT_SETTINGS, withMode } from '@weir/shared/testing';
import { type DataPath, indexOn, LOGS_A, startDataPath } from '../testing/data-path.ts';
import { calmStats, refused, stressedStats } from '../testing/fake-data-nodes.ts';

const RULE_OUT_CHANCE = { ...DEFAULT_SETTINGS.admission, maxShedRatio: 1, corroborate: false };
/** Three shards on three nodes without replicas: what is stressed concerns one shard. */
const SPREAD = { ...indexOn('logs-a', ['dn1'], ['dn2'], ['dn3']), routing_num_shards: 768 };
/** Ids of logs-a that fall on shards 0, 1, 2 in turn. */
const IDS = Array.from({ length: 12 }, (_, place) => idOn(place % 3, Math.floor(place / 3)));

function idOn(shard: number, nth = 0): string {
  let found = -1;
  for (let number = 0; ; number += 1) {
    if (shardOf(LOGS_A, `${number}`, undefined) === shard) found += 1;
    if (found === nth) return `${number}`;
  }
}

let path: DataPath;
afterEach(() => path.stop(100));

const start = async (options: Parameters<typeof startDataPath>[0] = {}) => {
  path = await startDataPath(options);
  return path;
};
const put = (id: string, index?: string) =>
  `${JSON.stringify({ index: { _index: index, _id: id } })}\n{"m":"${id}"}\n`;

describe('a bulk', () => {
  it('is answered in the shape of OpenSearch', async () => {
    await start();
    const { status, text } = await path.bulk('/logs-a/_bulk', put('1'));
    expect(status).toBe(200);
    expect(text.replace(/"took":\d+/, '"took":0')).toBe(
      '{"took":0,"errors":false,"items":[{"index":{"_index":"logs-a","_id":"1","_version":1,"result":"created","_shards":{"total":2,"successful":2,"failed":0},"_seq_no":0,"_primary_term":1,"status":201}}]}',
    );
  });

  it('C116: is taken as PUT too', async () => {
    await start();
    const { status } = await path.ask('PUT', '/_bulk', put('1', 'logs-a'));
    expect(status).toBe(200);
  });

  it('C023: brings documents to the data node byte for byte, with the secret of the cluster', async () => {
    await start();
    const document = '{"big":9007199254740993,"f":1.0,"e":1E400,"b":2,"a":1}';
    await path.bulk('/logs-a/_bulk', `{"index":{"_id":"1"}}\r\n${document}\r\n`);
    expect(path.nodes.requests.map((request) => request.operations[0]?.source.toString())).toEqual([
      document,
    ]);
    expect(path.nodes.calls[0]?.headers).toMatchObject({ 'x-weir-cluster-secret': 's' });
  });

  it('C029: answers in the order of the request, each item under its own name, though shards answer and refuse apart', async () => {
    await start({ indices: [SPREAD], settings: { admission: RULE_OUT_CHANCE } });
    path.hear(stressedStats('dn2'));
    const { status, body, items } = await path.bulk('/logs-a/_bulk', IDS.map((id) => put(id)).join(''));
    expect([status, (body as { errors: boolean }).errors]).toEqual([200, true]);
    expect(items.map((item) => item._id)).toEqual(IDS);
    expect(items.every((item) => item.action === 'index' && item._index === 'logs-a')).toBe(true);
    expect(items.map((item) => item.status)).toEqual(IDS.map((_, place) => (place % 3 === 1 ? 429 : 201)));
    expect(path.nodes.requests.map((request) => request.node).sort()).toEqual(['dn1', 'dn3']);
  });

  it('C031: spreads documents without an id evenly and gives each an id of its own', async () => {
    await start();
    const { items } = await path.bulk('/logs-a/_bulk', '{"index":{}}\n{}\n'.repeat(3_000));
    const sizes = path.nodes.requests.map((request) => request.operations.length);
    expect(sizes).toHaveLength(3);
    for (const size of sizes) expect(size > 800 && size < 1_200).toBe(true);
    expect(new Set(items.map((item) => item._id)).size).toBe(3_000);
  });

  it('C031: gives refused documents without an id an id of their own too', async () => {
    await start({ indices: [SPREAD], settings: { admission: RULE_OUT_CHANCE } });
    path.hear(stressedStats('dn2'));
    const { items } = await path.bulk('/logs-a/_bulk', '{"index":{}}\n{}\n'.repeat(100));
    expect(new Set(items.map((item) => item.status))).toEqual(new Set([201, 429]));
    expect(new Set(items.map((item) => item._id)).size).toBe(100);
  });

  it('C033: refuses only the hot shard of a routing value, and records it once with a count', async () => {
    await start({ indices: [SPREAD], settings: { admission: RULE_OUT_CHANCE } });
    path.hear(stressedStats('dn2'));
    const hot = `{"index":{"routing":"${idOn(1)}"}}\n{}\n`.repeat(1_000);
    const cold = `{"index":{"routing":"${idOn(0)}"}}\n{}\n{"index":{"routing":"${idOn(2)}"}}\n{}\n`.repeat(
      500,
    );
    const { items } = await path.bulk('/logs-a/_bulk', hot + cold);
    expect(items.slice(0, 1_000).every((item) => item.status === 429)).toBe(true);
    expect(items.slice(1_000).every((item) => item.status === 201)).toBe(true);
    const refusals = path.decisions.filter(({ verdict }) => verdict.kind === 'refuse');
    expect(
      refusals.map(({ verdict, context: { index, shard, operations } }) => [
        ...[index, shard, operations],
        verdict.kind === 'refuse' && verdict.evidence.node,
      ]),
    ).toEqual([['logs-a', 1, 1_000, 'dn2']]);
  });

  it('C034: refuses the items of one index and takes those of the others', async () => {
    const indices = [indexOn('idx-a', ['dn1']), indexOn('idx-b', ['dn2']), indexOn('idx-c', ['dn3'])];
    await start({ indices, settings: { admission: RULE_OUT_CHANCE } });
    path.hear(stressedStats('dn2'));
    const { status, items } = await path.bulk(
      '/_bulk',
      put('1', 'idx-a') + put('2', 'idx-b') + put('3', 'idx-c'),
    );
    expect([status, ...items.map((item) => item.status)]).toEqual([200, 201, 429, 201]);
    expect(items[1]?.error?.type).toBe('rejected_execution_exception');
  });

  it('C037: keeps the order of operations on one id', async () => {
    await start({ indices: [indexOn('logs-a', ['dn1'])] });
    await path.bulk(
      '/logs-a/_bulk',
      '{"index":{"_id":"1"}}\n{"v":1}\n{"index":{"_id":"1"}}\n{"v":2}\n{"delete":{"_id":"2"}}\n{"index":{"_id":"2"}}\n{"v":9}\n',
    );
    expect(
      path.nodes.requests[0]?.operations.map(({ kind, id, source }) => [kind, id, source.toString()]),
    ).toEqual([
      ['index', '1', '{"v":1}'],
      ['index', '1', '{"v":2}'],
      ['delete', '2', ''],
      ['index', '2', '{"v":9}'],
    ]);
  });

  it('C039: refuses an index whose primaries are all on a stressed node without calling it, and goes on with its replicas of others', async () => {
    const indices = [
      indexOn('new-1', ['dn1', 'dn2'], ['dn1', 'dn3'], ['dn1', 'dn2']),
      indexOn('other', ['dn2', 'dn1', 'dn3']),
    ];
    await start({ indices, settings: { admission: RULE_OUT_CHANCE } });
    path.hear(stressedStats('dn1'));
    path.hear(calmStats('dn2'));
    path.hear(calmStats('dn3'));
    const { items } = await path.bulk(
      '/_bulk',
      IDS.map((id) => put(id, 'new-1')).join('') + put('1', 'other'),
    );
    expect(items.map((item) => item.status)).toEqual([...IDS.map(() => 429), 201]);
    expect(path.nodes.requests.map((request) => request.index)).toEqual(['other']);
  });

  it('C042, C043, C119: is HTTP 200 with every item 429 when every shard is refused, and says how long to wait', async () => {
    await start({ settings: { admission: RULE_OUT_CHANCE } });
    for (const node of ['dn1', 'dn2', 'dn3']) path.hear(stressedStats(node));
    const { status, headers, items } = await path.bulk('/logs-a/_bulk', IDS.map((id) => put(id)).join(''));
    expect(status).toBe(200);
    expect(items.map((item) => [item.status, item.error?.type])).toEqual(
      IDS.map(() => [429, 'rejected_execution_exception']),
    );
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
    expect(path.nodes.requests).toEqual([]);
  });

  it('shows the facts of a refusal in one line and as fields', async () => {
    await start({ indices: [SPREAD], settings: { admission: RULE_OUT_CHANCE } });
    path.hear(stressedStats('dn2'));
    const { items } = await path.bulk('/logs-a/_bulk', put(idOn(1)));
    expect(items[0]?.error?.reason).toMatch(
      /^shard request for \[logs-a\]\[1\] of \d+ bytes refused by coordinator: primary_stressed, queue of node \[dn2\] at [\d.]+ ms, limit 400 ms, seen \d+ ms ago$/,
    );
    expect(items[0]?.error?.weir).toMatchObject({
      reason: 'primary_stressed',
      node: 'dn2',
      signal: 'queue',
      limit: 400,
      decision_id: 'decision-1',
    });
    expect(Object.keys(items[0]?.error?.weir ?? {})).toEqual([
      'reason',
      'node',
      'signal',
      'value',
      'limit',
      'age_ms',
      'retry_after_ms',
      'decision_id',
    ]);
  });

  it('C052: one of two replicas stressed is no reason to refuse, all of them are; without replicas there is none', async () => {
    const indices = [
      indexOn('r0', ['dn1']),
      indexOn('r1', ['dn1', 'dn2']),
      indexOn('r2', ['dn1', 'dn2', 'dn3']),
    ];
    await start({ indices, settings: { admission: RULE_OUT_CHANCE } });
    path.hear(calmStats('dn1'));
    path.hear(stressedStats('dn2'));
    path.hear(calmStats('dn3'));
    const { items } = await path.bulk('/_bulk', put('1', 'r0') + put('1', 'r1') + put('1', 'r2'));
    expect(items.map((item) => [item.status, item.error?.weir?.['reason']])).toEqual([
      [201, undefined],
      [429, 'all_replicas_stressed'],
      [201, undefined],
    ]);
  });

  it("is refused for the coordinator's own stress", async () => {
    const stress = { stress: 1, culprit: 'event_loop', value: 99, limit: 92, waitMs: 0 } as const;
    const ownStress = () => ({ ...stress, known: true, would: stress });
    await start({ settings: { admission: RULE_OUT_CHANCE }, change: { ownStress } });
    const { items } = await path.bulk('/logs-a/_bulk', put('1'));
    expect(items[0]?.error?.weir).toMatchObject({ reason: 'coordinator_stressed', node: 'c1', value: 99 });
  });

  it('C142, A13: is taken in monitor_only, and each shard request that would be refused is recorded', async () => {
    await start({
      indices: [SPREAD],
      settings: withMode({ ...DEFAULT_SETTINGS, admission: RULE_OUT_CHANCE }, 'monitor_only'),
    });
    path.hear(stressedStats('dn2'));
    const { items } = await path.bulk('/logs-a/_bulk', put(idOn(1)));
    expect(items.map((item) => item.status)).toEqual([201]);
    expect(path.decisions.map(({ verdict }) => verdict.kind)).toEqual(['would_refuse']);
  });

  it('is refused whole where the settings want it, with nothing forwarded', async () => {
    await start({
      indices: [SPREAD],
      settings: { admission: RULE_OUT_CHANCE, bulk: { ...DEFAULT_SETTINGS.bulk, refusal: 'request' } },
    });
    path.hear(stressedStats('dn2'));
    const { status, headers, body } = await path.bulk('/logs-a/_bulk', IDS.map((id) => put(id)).join(''));
    expect(status).toBe(429);
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
    expect(body).toMatchObject({
      status: 429,
      error: { type: 'rejected_execution_exception', weir: { reason: 'primary_stressed', node: 'dn2' } },
    });
    expect(path.nodes.requests).toEqual([]);
  });

  it('C130: counts what its items were told', async () => {
    await start();
    path.nodes.behave('dn2', refused({}));
    path.nodes.behave('dn3', () => Buffer.from('x'));
    await path.bulk('/logs-a/_bulk', IDS.map((id) => put(id)).join(''));
    const text = await path.metrics.text();
    for (const outcome of ['accepted', 'refused', 'failed'])
      expect(text).toContain(`weir_bulk_operations_total{outcome="${outcome}"} 4`);
    expect(text).toContain('weir_bulk_seconds_count 1');
  });

  it('gives items of unusable names, ids and flags their own errors and runs the others', async () => {
    await start();
    path.topology.make = (name) => {
      if (name === 'closed')
        throw new WeirError('index_not_found', 'no such index [closed]', { fields: { index: 'closed' } });
      return indexOn(name, ['dn1']);
    };
    const body = [
      put('1', 'Foo'),
      put('1', 'a b'),
      put('1', ''),
      put('', 'logs-a'),
      put('1', 'closed'),
      '{"delete":{"_index":"missing","_id":"1"}}\n',
      '{"index":{"_index":"logs-a","_id":"1","require_alias":true}}\n{}\n',
      '{"index":{"_index":"logs-a","_id":"1","pipeline":"p"}}\n{}\n',
      '{"index":{"_index":"logs-a","_id":"\\ud800"}}\n{}\n',
      '{"index":{"_index":"\\ud800","_id":"1"}}\n{}\n',
      put('1', 'logs-a'),
      put('1', 'made-now'),
    ].join('');
    const { status, items } = await path.bulk('/_bulk', body);
    expect(status).toBe(200);
    expect(items.map((item) => [item.status, item.error?.type])).toEqual([
      [400, 'invalid_index_name_exception'],
      [400, 'invalid_index_name_exception'],
      [400, 'invalid_index_name_exception'],
      [400, 'illegal_argument_exception'],
      [404, 'index_not_found_exception'],
      [404, 'index_not_found_exception'],
      [404, 'index_not_found_exception'],
      [400, 'illegal_argument_exception'],
      [400, 'illegal_argument_exception'],
      [400, 'invalid_index_name_exception'],
      [201, undefined],
      [201, undefined],
    ]);
    expect(items[6]?.error?.reason).toContain(
      '[require_alias] request flag is [true] and [logs-a] is not an alias',
    );
  });

  it('I6: asks a bus that is away for one missing index, not for each, and writes to those it knows', async () => {
    await start();
    let asked = 0;
    path.topology.make = () => {
      asked += 1;
      throw new WeirError('unavailable', 'Redis did not do [compare-and-set]: Command timed out');
    };
    const names = Array.from({ length: 50 }, (_, number) => `new-${number}`);
    const { items } = await path.bulk(
      '/_bulk',
      names.map((name) => put('1', name)).join('') + put('1', 'logs-a'),
    );
    expect(items.map((item) => item.status)).toEqual([...names.map(() => 503), 201]);
    expect(items[49]?.error?.reason).toContain('Redis did not do');
    expect(asked).toBe(1);
  });

  it('makes an index for a later item before an earlier delete is told that there is none', async () => {
    await start();
    const { items } = await path.bulk(
      '/_bulk',
      `{"delete":{"_index":"fresh","_id":"1"}}\n${put('1', 'fresh')}`,
    );
    expect(items.map((item) => item.error)).toEqual([undefined, undefined]);
  });

  it.each([
    '/%2e%2e%2f_cluster%2fsettings/_bulk',
    '/a%2Fb/_bulk',
    '/a,b/_bulk',
    `/${'a'.repeat(300)}/_bulk`,
    '/_internal/_bulk',
    '/Logs/_bulk',
  ])('C151: %s is a 400 for its index name', async (target) => {
    await start();
    const { status, body } = await path.bulk(target, '{"index":{}}\n{}\n');
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: { type: 'invalid_index_name_exception' }, status: 400 });
  });

  it.each([
    ['foo=1', 'request [/logs-a/_bulk] contains unrecognized parameter: [foo]'],
    ['refresh=x', 'Unknown value for refresh: [x]'],
    ['timeout=5', 'failed to parse parameter [timeout] with value [5]'],
    ['wait_for_active_shards=x', 'cannot parse ActiveShardCount[x]'],
    ['require_alias=x', 'parameter [require_alias]'],
    ['pipeline=p', 'parameter [pipeline] is not supported'],
  ])('I5: the query %s is a 400 that names it, and nothing runs', async (query, reason) => {
    await start();
    const { status, body } = await path.bulk(`/logs-a/_bulk?${query}`, put('1'));
    expect(status).toBe(400);
    expect((body as { error: { reason: string } }).error.reason).toContain(reason);
    expect(path.nodes.requests).toEqual([]);
  });

  it('I2, I3: passes on what the query says', async () => {
    await start();
    const ids = {
      'x-opaque-id': 'app',
      'x-request-id': 'r-1',
      traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    };
    await path.bulk(
      `/logs-a/_bulk?refresh=wait_for&wait_for_active_shards=all&timeout=5s&routing=${idOn(1)}&error_trace&human`,
      put('1'),
      ids,
    );
    await path.bulk('/logs-a/_bulk?refresh&wait_for_active_shards=0', put('1'));
    const [first, second] = path.nodes.requests;
    expect(first).toMatchObject({
      shard: 1,
      refresh: 'wait_for',
      waitForActiveShards: 'all',
      requestId: 'r-1',
      opaqueId: 'app',
      traceId: 'a'.repeat(32),
    });
    expect(first?.operations[0]?.routing).toBe(idOn(1));
    expect(first?.timeoutMs).toBeGreaterThan(4_000);
    expect(first?.timeoutMs).toBeLessThanOrEqual(5_000);
    expect(second).toMatchObject({ refresh: 'true', waitForActiveShards: 0 });
  });

  it('says forced_refresh when it was asked to refresh', async () => {
    await start();
    const { text } = await path.bulk('/logs-a/_bulk?refresh=true', put('1'));
    expect(text).toContain('"result":"created","forced_refresh":true,"_shards"');
  });

  it.each([1, 1_250])('cuts the answer to twice %i items to what filter_path names', async (count) => {
    await start();
    path.nodes.behave('dn2', refused({}));
    const body = `${put(idOn(1))}${put(idOn(0))}`.repeat(count);
    const errors = await path.bulk('/logs-a/_bulk?filter_path=errors,items.*.error.type', body);
    expect(errors.body).toEqual({
      errors: true,
      items: Array.from({ length: count }, () => ({
        index: { error: { type: 'rejected_execution_exception' } },
      })),
    });
    expect((await path.bulk('/logs-a/_bulk?filter_path=items.*._seq_no,-items', body)).body).toEqual({});
    expect((await path.bulk('/logs-a/_bulk?filter_path=nothing', body)).body).toEqual({});
    const failed = await path.bulk('/logs-a/_bulk?filter_path=nothing', 'no action');
    expect([failed.status, failed.body]).toMatchObject([
      400,
      { error: { type: expect.anything() }, status: 400 },
    ]);
    expect(
      (await path.bulk('/logs-a/_bulk?filter_path=-took,-items.*._shards&pretty', body)).body,
    ).toMatchObject({ errors: true });
  });

  it.each([1, 2_500])('is laid out for people when asked, with %i items', async (count) => {
    await start();
    const { text } = await path.bulk('/logs-a/_bulk?pretty', '{"index":{"_id":"1"}}\n{}\n'.repeat(count));
    expect(text.split('\n').length).toBeGreaterThan(count * 10);
    expect(JSON.parse(text).items).toHaveLength(count);
  });

  it('A1, A24, I7: calls a shard once, and holds no bytes afterwards', async () => {
    await start();
    await path.bulk('/logs-a/_bulk', put('1'));
    await path.bulk('/logs-a/_bulk', 'broken\n');
    expect(path.nodes.requests).toHaveLength(1);
    expect(path.pressure.report().currentBytes.coordinating).toBe(0);
    expect(path.pressure.report().totalBytes.coordinating).toBeGreaterThan(0);
  });

  it('I5: admits and counts what it has no evidence of, also where its own state is unknown', async () => {
    await start({ change: { ownStress: () => UNKNOWN_STRESS } });
    await path.bulk('/logs-a/_bulk', put('1'));
    expect(path.decisions.map(({ verdict }) => verdict)).toEqual([{ kind: 'admit', unknown: true }]);
  });

  it('A1: looks at nothing when admission is disabled', async () => {
    await start({ settings: withMode(DEFAULT_SETTINGS, 'disabled') });
    path.hear(stressedStats('dn3'));
    expect((await path.bulk('/logs-a/_bulk', put('1'))).items[0]?.status).toBe(201);
  });
});
