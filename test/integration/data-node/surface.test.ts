import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { INTERNAL_PATHS } from '@weir/shared';
import {
  askJson,
  type Cluster,
  indexOperation,
  shardRequestFor,
  startCluster,
  write,
} from '../../support/data-nodes.ts';

jest.setTimeout(60_000);

let cluster: Cluster;
let origin: string;
let closedOrigin: string;

beforeAll(async () => {
  cluster = await startCluster(1);
  const closed = await cluster.startNode('dn2', { env: { WEIR_CLUSTER_SECRET: 'a-secret-of-16-chars' } });
  origin = cluster.node('dn1').origin;
  closedOrigin = closed.origin;
});
afterAll(() => cluster.stop());

const ask = async (url: string, init?: RequestInit) => {
  const response = await fetch(url, init);
  const body = (await response.json()) as { error?: { type: string; reason: string }; status?: number };
  return { status: response.status, type: body.error?.type, reason: body.error?.reason, body };
};

describe('the HTTP service of a data node', () => {
  it('answers everything that is wrong with a JSON error that names it', async () => {
    const post = (path: string, body: string | Buffer) => ask(origin + path, { method: 'POST', body });
    expect(await ask(`${origin}/nothing/here`)).toMatchObject({
      status: 400,
      type: 'no_handler_found_exception',
    });
    expect(await ask(origin + INTERNAL_PATHS.primary)).toMatchObject({
      status: 405,
      reason: expect.stringContaining('allowed: [POST]'),
    });
    expect(await post(INTERNAL_PATHS.primary, 'x')).toMatchObject({ status: 400, type: 'parse_exception' });
    expect(await post(INTERNAL_PATHS.replica, Buffer.from([0, 0, 0, 2, 123, 125]))).toMatchObject({
      status: 400,
      reason: expect.stringContaining('frame head: index'),
    });
    expect(await post(INTERNAL_PATHS.get, '{')).toMatchObject({ status: 400, reason: 'body is not JSON' });
    expect(await post(INTERNAL_PATHS.count, '{"index":"a","index_uuid":"b"}')).toMatchObject({
      status: 400,
      reason: expect.stringContaining('shard'),
    });
    expect(await ask(`${origin}/_nodes/_local/stats/os,bogus`)).toMatchObject({
      status: 400,
      type: 'illegal_argument_exception',
      reason: expect.stringContaining('unrecognized metric: [bogus]'),
    });
  });

  it('does not read a body that declares itself too large', async () => {
    await cluster.set({ 'weir.bulk.max_body': '1kb' });
    const headers = { 'content-length': 40_000_000 };
    const call = request(origin + INTERNAL_PATHS.primary, { method: 'POST', headers });
    call.flushHeaders();
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    expect([answer.statusCode, await text(answer)]).toEqual([413, expect.stringContaining('40000000 bytes')]);
    call.destroy();
    await cluster.set({ 'weir.*': null });
  });

  it('says which copy it does not hold', async () => {
    const body = JSON.stringify({ index: 'none', index_uuid: 'none', shard: 0 });
    for (const path of [INTERNAL_PATHS.refresh, INTERNAL_PATHS.copyStats])
      expect(await ask(origin + path, { method: 'POST', body })).toMatchObject({
        status: 404,
        type: 'index_not_found_exception',
        reason: 'no such index [none]',
      });
  });

  it('keeps strangers from internal routes where the cluster has a secret, and from nothing else', async () => {
    const body = '{}';
    const url = closedOrigin + INTERNAL_PATHS.get;
    expect(await ask(url, { method: 'POST', body })).toMatchObject({
      status: 403,
      type: 'security_exception',
    });
    const headers = { 'x-weir-cluster-secret': 'a-secret-of-16-chars' };
    expect(await ask(url, { method: 'POST', body, headers })).toMatchObject({ status: 400 });
    expect(await ask(`${closedOrigin}/livez`)).toMatchObject({ status: 200 });
  });

  it('reads what was written: documents, counts, hits after a refresh, figures of the copy', async () => {
    const index = await cluster.placeIndex('reads', ['dn1']);
    const node = cluster.node('dn1');
    const operations = ['a', 'b'].map((id) => indexOperation(id, { id, text: `word ${id}` }));
    await write(cluster, node, shardRequestFor(index, operations, { refresh: 'true' }));
    const copy = { index: index.name, index_uuid: index.uuid, shard: 0 };
    expect((await askJson(cluster, node, INTERNAL_PATHS.refresh, copy)).body).toEqual({});
    expect((await askJson(cluster, node, INTERNAL_PATHS.get, { ...copy, ids: ['a', 'z'] })).body).toEqual({
      documents: [
        { id: 'a', source: '{"id":"a","text":"word a"}', version: 1, seq_no: 0, primary_term: 1 },
        null,
      ],
    });
    const query = { match: { text: 'word' } };
    expect((await askJson(cluster, node, INTERNAL_PATHS.count, { ...copy, query })).body).toEqual({
      count: 2,
    });
    const search = { ...copy, query, from: 0, size: 1, track_total_hits: true };
    expect((await askJson(cluster, node, INTERNAL_PATHS.search, search)).body).toMatchObject({
      total: 2,
      hits: [{ id: expect.any(String), source: expect.stringContaining('word') }],
    });
    expect((await askJson(cluster, node, INTERNAL_PATHS.copyStats, copy)).body).toMatchObject({
      docs: 2,
      deleted: 0,
      max_seq_no: 1,
      primary_term: 1,
    });
    const unsupported = { ...copy, query: { fuzzy: { text: 'wrd' } } };
    expect(await askJson(cluster, node, INTERNAL_PATHS.count, unsupported)).toMatchObject({
      status: 400,
      body: { error: { reason: expect.stringContaining('fuzzy') } },
    });
  });

  it('shows its stats in the shape of OpenSearch, its metrics, and who it is', async () => {
    const node = cluster.node('dn1');
    const { body } = await askJson(cluster, node, '/_nodes/_local/stats');
    expect(body).toMatchObject({ _nodes: { total: 1, successful: 1, failed: 0 }, cluster_name: 'weir' });
    const stats = (body['nodes'] as Record<string, Record<string, unknown>>)[node.id];
    expect(Object.keys(stats ?? {}).sort()).toEqual([
      ...['admission_control', 'fs', 'indexing_pressure', 'indices', 'jvm', 'name', 'os', 'process'],
      ...['resource_usage_stats', 'roles', 'thread_pool', 'timestamp'],
    ]);
    expect(JSON.stringify(body)).not.toContain('null');
    const one = await askJson(cluster, node, '/_nodes/_local/stats/fs,http');
    expect(JSON.stringify(one.body)).toContain('available_in_bytes');
    const metrics = await (await fetch(`${origin}/metrics`)).text();
    for (const name of ['weir_admission_decisions_total', 'weir_in_flight_bytes', 'weir_redis_up 1'])
      expect(metrics).toContain(name);
    expect((await askJson(cluster, node, '/')).body).toMatchObject({ name: 'dn1', role: 'data' });
  });
});
