// Who may do what on a cluster that others than this machine can reach, on real processes.
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { INTERNAL_PATHS } from '@weir/shared';
import { type HttpCalls, httpCalls } from '../support/http-calls.ts';
import { type RunningCluster, startRunningCluster } from '../support/running-cluster.ts';

jest.setTimeout(120_000);

const SECRET = 'a-secret-of-the-tests-only';
const BEYOND = { WEIR_HOST: '0.0.0.0', WEIR_PUBLISH_HOST: '127.0.0.1' };
const SETTINGS = { transient: { 'weir.log.refusals_per_second': 6 } };

let cluster: RunningCluster;
afterEach(() => cluster.stop());

const start = async (env: Readonly<Record<string, string>>): Promise<HttpCalls> => {
  cluster = await startRunningCluster({ dataNodes: 1, env: { ...BEYOND, ...env } });
  return httpCalls(cluster.service('dn1').origin);
};

/** Statuses of writes of settings and of internal routes, with their error types. */
async function guardedRoutes(node: HttpCalls, headers: Readonly<Record<string, string>> = {}) {
  const init = (method: string, body: string): RequestInit => ({
    ...{ method, body },
    headers: { 'content-type': 'application/json', ...headers },
  });
  const put = init('PUT', JSON.stringify(SETTINGS));
  const answers = [
    await cluster.ask('/_cluster/settings', put),
    await cluster.ask('/_weir/settings', put),
    ...(await Promise.all(Object.values(INTERNAL_PATHS).map((path) => node.ask(path, init('POST', '{}'))))),
  ];
  return answers.map(({ status, body }) => [status, (body['error'] as { type: string } | undefined)?.type]);
}

const GUARDED = 2 + Object.keys(INTERNAL_PATHS).length;
const closed = Array.from({ length: GUARDED }, () => [403, 'security_exception']);

describe('a cluster that listens beyond loopback', () => {
  it('without a secret refuses internal routes and writes of settings to everyone, and says so in its log', async () => {
    const node = await start({});
    expect(await guardedRoutes(node)).toEqual(closed);
    expect(await guardedRoutes(node, { 'x-weir-cluster-secret': SECRET })).toEqual(closed);
    expect((await cluster.ask('/_cluster/settings')).body).toEqual({ persistent: {}, transient: {} });
    for (const name of ['c1', 'dn1'])
      expect(cluster.service(name).log()).toContainEqual(
        expect.objectContaining({ level: 'warn', msg: expect.stringContaining('set WEIR_CLUSTER_SECRET') }),
      );
    // Nor can the coordinator pass: nothing tells it from a stranger.
    const bulk = await cluster.bulk('/logs/_bulk', { index: { _id: '1' } }, '{}');
    expect([bulk.status, bulk.body]).toMatchObject([
      200,
      { errors: true, items: [{ index: { status: 503 } }] },
    ]);
  });

  it('with a secret opens them to who brings it, in a header that no log shows', async () => {
    const node = await start({ WEIR_CLUSTER_SECRET: SECRET });
    expect(await guardedRoutes(node)).toEqual(closed);
    expect(await guardedRoutes(node, { 'x-weir-cluster-secret': `${SECRET}-not` })).toEqual(closed);
    const open = await guardedRoutes(node, { 'x-weir-cluster-secret': SECRET });
    expect(open.slice(0, 2)).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
    for (const [status] of open.slice(2)) expect(status).not.toBe(403);
    const bulk = await cluster.bulk('/logs/_bulk', { index: { _id: '1' } }, '{}');
    expect(bulk.body['errors']).toBe(false);
    for (const name of ['c1', 'dn1']) expect(cluster.service(name).output()).not.toContain(SECRET);
  });

  it('opens them to everyone only where --insecure was asked for, and warns of it', async () => {
    const node = await start({ WEIR_INSECURE: 'true' });
    const open = await guardedRoutes(node);
    for (const [status] of open) expect(status).not.toBe(403);
    expect(cluster.service('c1').log()).toContainEqual(
      expect.objectContaining({ level: 'warn', msg: expect.stringContaining('as --insecure asked') }),
    );
  });
});
