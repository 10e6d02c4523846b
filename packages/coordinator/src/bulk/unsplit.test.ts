import { afterEach, describe, expect, it } from '@jest/globals';
import type { IndexMetadata, OperationResult, ShardAnswer, ShardRequest, UnsplitReason } from '@weir/shared';
import { DEFAULT_SETTINGS } from '@weir/shared/testing';
import type { Target } from '../cluster/topology.ts';
import { type DataPath, indexOn, startDataPath } from '../testing/data-path.ts';
import { applied, calmStats, stressedStats } from '../testing/fake-data-nodes.ts';
import type { CallPrimary } from './call-primary.ts';
import type { SendUnsplit, UnsplitRequest, WholeAnswer } from './send-unsplit.ts';

let path: DataPath;
afterEach(() => path.stop(100));

const LOGS = indexOn('logs', ['dn1', 'dn2']);
const PIPED = indexOn('piped', ['dn2']);
const COPIED = indexOn('copied', ['dn2', 'dn3']);
const LOST: IndexMetadata = {
  ...indexOn('lost', ['dn1'], ['dn1']),
  routing_num_shards: 2,
  shards: [
    { primary_term: 1, primary: null, replicas: [], lost: [] },
    { primary_term: 1, primary: { node: 'dn1', allocation_id: 'x' }, replicas: [], lost: [] },
  ],
};
const EVERYTHING = { ...DEFAULT_SETTINGS.admission, maxShedRatio: 1, corroborate: false };

const unsplit = (reason: UnsplitReason, likely?: IndexMetadata): Target => ({
  kind: 'unsplit',
  reason,
  likely,
});

/** A cluster with an index, one with a pipeline, an alias and no other names. */
function resolve(name: string, pipeline: string | undefined, routing: string | undefined): Target {
  if (name === 'piped') return unsplit('pipeline', PIPED);
  if (name === 'copied') return unsplit('pipeline', COPIED);
  if (name === 'lost') return { kind: 'index', metadata: LOST, routing, throughAlias: false };
  if (name === 'alias' && routing === 'bad') return unsplit('alias_routing', LOGS);
  if (name !== 'logs' && name !== 'alias') return unsplit('unknown_index');
  if (pipeline !== undefined) return unsplit('pipeline', LOGS);
  const isAlias = name === 'alias';
  return { kind: 'index', metadata: LOGS, routing: isAlias ? 'own' : routing, throughAlias: isAlias };
}

const sent: UnsplitRequest[] = [];
/** What went to the node of a primary. */
const requests: (ShardRequest & { readonly node: string })[] = [];
let onPrimary: (request: ShardRequest, node: string) => ShardAnswer;
const callPrimary: CallPrimary = async ({ node }, request) => {
  requests.push({ ...request, node: node.id });
  return onPrimary(request, node.id);
};
const given = (body: object): OperationResult => ({ ok: true, status: 201, body: JSON.stringify(body) });

async function start(
  options: { readonly settings?: object; readonly whole?: WholeAnswer; readonly ingestTookMs?: number } = {},
): Promise<void> {
  sent.splice(0);
  requests.splice(0);
  onPrimary = applied;
  const sendUnsplit: SendUnsplit = async (request) => {
    sent.push(request);
    const results = request.actions.map(({ id }) => given({ there: id }));
    return { results, whole: options.whole, ingestTookMs: options.ingestTookMs };
  };
  path = await startDataPath({ change: { callPrimary, sendUnsplit }, settings: options.settings ?? {} });
  path.topology.known.set('logs', LOGS);
  path.topology.resolve = ({ index, pipeline, routing }) => resolve(index, pipeline, routing);
  path.topology.nodes = () => ['dn1', 'dn2', 'dn3'].map((id) => ({ id, name: id, address: '' })) as never;
}

const put = (index: string, id: string, extra = '') =>
  `{"index":{"_index":"${index}","_id":"${id}"${extra}}}\n{}\n`;
const sentIds = () => sent.flatMap(({ actions }) => actions.map(({ index, id }) => `${index}/${id}`));
const there = (items: readonly object[]) => items.map((item) => (item as { there?: string }).there);

describe('actions that cannot be split by shard', () => {
  it('go on as one part of their bulk, and are answered in their places as they were answered there', async () => {
    await start();
    const body = put('new', '1') + put('logs', '2') + put('piped', '3') + put('logs', '4') + put('new', '5');
    const { items, text } = await path.bulk('/_bulk?refresh', body, { authorization: 'Basic eA==' });
    expect(sentIds()).toEqual(['new/1', 'piped/3', 'new/5']);
    expect(sent[0]?.client).toMatchObject({ target: '/_bulk?refresh' });
    expect(sent[0]?.client.rawHeaders).toContain('Basic eA==');
    expect(sent[0]?.client.body.toString()).toBe(body);
    expect(sent[0]?.timeoutMs).toBeGreaterThan(59_000);
    expect(there(items)).toEqual(['1', undefined, '3', undefined, '5']);
    expect(items.map(({ status }) => status)).toEqual([undefined, 201, undefined, 201, undefined]);
    expect(text).toContain('{"index":{"there":"1"}}');
  });

  it('have the time that pipelines took told, and no other bulk does', async () => {
    await start({ ingestTookMs: 7 });
    expect((await path.bulk('/_bulk', put('piped', '1') + put('logs', '2'))).body).toMatchObject({
      ingest_took: 7,
    });
    expect((await path.bulk('/_bulk', put('logs', '2'))).body).not.toHaveProperty('ingest_took');
  });

  it('are counted by their reason', async () => {
    await start();
    await path.bulk('/_bulk', put('new', '1') + put('piped', '2') + put('piped', '3') + put('lost', 'x'));
    const metrics = await path.metrics.text();
    expect(metrics).toContain('weir_unsplit_operations_total{reason="unknown_index"} 1');
    expect(metrics).toContain('weir_unsplit_operations_total{reason="pipeline"} 2');
  });

  it('take with them all others on the same index, so that operations on one id keep their order', async () => {
    await start();
    await path.bulk('/_bulk', put('logs', '1') + put('alias', '2') + put('logs', '1', ',"pipeline":"p"'));
    expect(sentIds()).toEqual(['logs/1', 'alias/2', 'logs/1']);
    expect(requests).toEqual([]);
  });

  it('leave others alone where they will only fail', async () => {
    await start();
    await path.bulk('/_bulk', put('alias', '1', ',"routing":"bad"') + put('alias', '2'));
    expect(sentIds()).toEqual(['alias/1']);
    expect(requests[0]?.operations).toMatchObject([{ id: '2', alias: 'alias' }]);
  });

  it('do not include those that came by an alias: its name and the given routing go along, for it may have moved on', async () => {
    await start();
    const body =
      put('alias', '1') + put('alias', '2', ',"require_alias":true') + put('logs', '3', ',"routing":"r"');
    await path.bulk('/_bulk', body);
    expect(requests[0]?.operations).toMatchObject([
      { id: '1', alias: 'alias', routing: undefined },
      { id: '2', alias: 'alias', requireAlias: true, routing: undefined },
      { id: '3', routing: 'r' },
    ]);
    expect(requests[0]?.operations[2]).not.toHaveProperty('alias');
  });

  it('may ask any node of the engine behind where an index or its primary is gone meanwhile', async () => {
    await start();
    path.topology.known.set('logs', { ...LOGS, uuid: 'another' });
    const { items } = await path.bulk('/_bulk', put('logs', '1'));
    expect([items[0]?.status, requests[0]?.node, path.topology.refreshes]).toEqual([201, '', 1]);
  });

  it('make their coordinator look at once where one may have been made, or a primary may be back', async () => {
    await start();
    path.topology.known.set('lost', LOST);
    const looksAfter = async (body: string) => {
      await path.bulk('/_bulk', body);
      return path.topology.refreshes;
    };
    expect(await looksAfter(put('piped', '1'))).toBe(0);
    expect(await looksAfter(put('new', '1'))).toBe(1);
    expect(await looksAfter(['a', 'b', 'c', 'd'].map((id) => put('lost', id)).join(''))).toBe(2);
  });

  it.each([
    [503, 'unavailable_shards_exception', 1],
    [404, 'index_not_found_exception', 1],
    [404, 'document_missing_exception', 0],
    [409, 'version_conflict_engine_exception', 0],
  ])('an item %i %s has its coordinator look %i times', async (status, type, looks) => {
    const item = { ok: false, status, body: JSON.stringify({ status, error: { type, reason: 'no' } }) };
    await start();
    onPrimary = () => ({ outcome: 'applied', results: [item] });
    await path.bulk('/_bulk', put('logs', '1'));
    expect(path.topology.refreshes).toBe(looks);
  });

  it('are those of a shard without a primary; the others of its index are split', async () => {
    await start();
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    path.topology.known.set('lost', LOST);
    await path.bulk('/_bulk', ids.map((id) => put('lost', id)).join(''));
    const split = requests.flatMap(({ operations }) => operations.map(({ id }) => id));
    expect(split.length).toBeGreaterThan(0);
    expect(sentIds().length).toBeGreaterThan(0);
    expect([...split, ...sentIds().map((name) => name.replace('lost/', ''))].sort()).toEqual(ids);
  });

  it('are all of a request that says what only the engine may understand', async () => {
    await start();
    await path.bulk('/_bulk?batch_size=10', put('logs', '1') + put('new', '2'));
    expect(sentIds()).toEqual(['logs/1', 'new/2']);
    expect(await path.metrics.text()).toContain('{reason="unknown_parameter"} 1');
  });

  it('may come by a path of a date or with capitals, but never by a name that would do harm', async () => {
    await start();
    await path.bulk('/%3Clogs-%7Bnow%2Fd%7D%3E/_bulk', '{"index":{"_id":"1"}}\n{}\n');
    await path.bulk('/Alias/_bulk', '{"index":{"_id":"1"}}\n{}\n');
    expect(sentIds()).toEqual(['<logs-{now/d}>/1', 'Alias/1']);
    expect((await path.bulk('/a%00/_bulk', '{"index":{}}\n{}\n')).status).toBe(400);
    const { items } = await path.bulk('/_bulk', put('a\\u0000', '1') + put('\\ud800', '2'));
    expect(items.map(({ error }) => error?.type)).toEqual([
      'invalid_index_name_exception',
      'invalid_index_name_exception',
    ]);
    expect(sent).toHaveLength(2);
  });

  it('are judged against the worst node they may well end at, once', async () => {
    await start({ settings: { admission: EVERYTHING } });
    path.hear(calmStats('dn1'));
    path.hear(calmStats('dn2'));
    path.hear(stressedStats('dn3'));
    const calm = await path.bulk('/_bulk', put('piped', '1') + put('piped', '2'));
    expect(there(calm.items)).toEqual(['1', '2']);
    const { items } = await path.bulk('/_bulk', put('new', '1') + put('new', '2') + put('logs', '3'));
    expect(items.map(({ status, error }) => [status, error?.weir?.['node']])).toEqual([
      [429, 'dn3'],
      [429, 'dn3'],
      [201, undefined],
    ]);
    expect(items[0]?.error?.reason).toMatch(
      /^2 operations that cannot be split by shard, of \d+ bytes refused/,
    );
    expect(sent).toHaveLength(1);
    const refusals = path.decisions.filter(({ verdict }) => verdict.kind === 'refuse');
    expect(refusals.map(({ context }) => [context.index, context.shard, context.operations])).toEqual([
      ['new', undefined, 2],
    ]);
  });

  it('are judged by the replicas of the index they most likely end in, too', async () => {
    await start({ settings: { admission: EVERYTHING } });
    path.hear(stressedStats('dn3'));
    path.hear(calmStats('dn2'));
    const { items } = await path.bulk('/_bulk', put('copied', '1'));
    expect(items[0]?.error?.weir).toMatchObject({ reason: 'all_replicas_stressed', node: 'dn3' });
  });

  it('are admitted and counted where nothing is known of any node', async () => {
    await start({ settings: { admission: EVERYTHING } });
    await path.bulk('/_bulk', put('new', '1'));
    expect(path.decisions.map(({ verdict }) => verdict)).toEqual([{ kind: 'admit', unknown: true }]);
  });

  it('are refused whole with their request where the settings want it, with nothing sent', async () => {
    const settings = { admission: EVERYTHING, bulk: { ...DEFAULT_SETTINGS.bulk, refusal: 'request' } };
    await start({ settings });
    path.hear(stressedStats('dn3'));
    const { status } = await path.bulk('/_bulk', put('logs', '1') + put('new', '2'));
    expect([status, sent.length, requests.length]).toEqual([429, 0, 0]);
  });

  it('give their client the very answer that was none to single actions, where they are all of the bulk', async () => {
    const whole = {
      status: 401,
      headers: ['WWW-Authenticate', 'Basic realm="x"', 'content-type', 'text/plain'],
      body: Buffer.from('Unauthorized'),
    };
    await start({ whole });
    const response = await fetch(`${path.origin}/_bulk`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: put('new', '1'),
    });
    expect([response.status, response.headers.get('www-authenticate'), await response.text()]).toEqual([
      401,
      'Basic realm="x"',
      'Unauthorized',
    ]);
    expect((await path.bulk('/_bulk', put('new', '1') + put('logs', '2'))).status).toBe(200);
  });

  it('C150: make the answer 401 where no part of the bulk let its client in', async () => {
    const refused = { type: 'security_exception', reason: 'no' };
    const item = { ok: false, status: 401, body: JSON.stringify({ status: 401, error: refused }) };
    await start();
    onPrimary = () => ({ outcome: 'applied', results: [item] });
    const answer = await path.bulk('/_bulk', put('logs', '1'));
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      401,
      'Basic realm="OpenSearch"',
    ]);
    expect(answer.body).toEqual({ error: refused, status: 401 });
    expect((await path.bulk('/_bulk', put('logs', '1') + put('new', '2'))).status).toBe(200);
  });
});
