import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Access, type Listening, SettingsStore, serve, systemTimers } from '@weir/shared';
import { BusMemory, ManualClock, seededRng, type UnreliableBus } from '@weir/shared/testing';
import { coordinatorApp } from '../app.ts';
import { plainBodies } from '../bulk/collect-body.ts';
import { settingsRoutes } from './settings-routes.ts';

const CPU = 'weir.admission.cpu.primary.soft';
const OPEN: Access = { secret: undefined, insecure: false, loopbackOnly: true };

let bus: UnreliableBus;
let store: SettingsStore;
let listening: Listening;
beforeEach(() => start(OPEN));
afterEach(() => listening.stop(100));

async function start(access: Access): Promise<void> {
  const clock = new ManualClock();
  bus = new BusMemory(seededRng(1)).bus();
  const file = new Map([['weir.admission.epoch', '90s']]);
  store = new SettingsStore({
    bus,
    clock,
    timers: clock,
    rng: seededRng(2),
    log: { warn: () => undefined },
    file,
  });
  await store.start();
  const routes = settingsRoutes({
    settings: store,
    access,
    options: [
      { key: 'weir.node.name', value: 'c1', from: 'default' },
      { key: 'weir.redis.url', value: 'redis://***@host', from: 'environment WEIR_REDIS_URL' },
      { key: 'weir.cluster.secret', value: null, from: 'default' },
    ],
    collectBody: plainBodies(systemTimers),
    appliedVersions: () => [
      { node: 'dn1', version: store.document().version, ageMs: 12.4 },
      { node: 'dn2', version: 0, ageMs: 900 },
    ],
  });
  const app = coordinatorApp({ routes, elasticCompat: false, report: () => undefined });
  listening = await serve(app, { host: '127.0.0.1', port: 0 });
}

async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(listening.origin + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: text }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}
const put = (body: unknown, query = '') => ask('PUT', `/_cluster/settings${query}`, body);
const reasonOf = ({ status, body }: Awaited<ReturnType<typeof ask>>) => [
  status,
  body.error.type,
  body.error.reason,
];

describe('/_cluster/settings', () => {
  it('is empty before anything is set', async () => {
    expect((await ask('GET', '/_cluster/settings')).body).toEqual({ persistent: {}, transient: {} });
  });

  it('C082: answers with what was set, nested, numbers as text; flat when asked; GET agrees', async () => {
    const body = { persistent: { [CPU]: 80 }, transient: { weir: { admission: { corroborate: false } } } };
    const nested = {
      persistent: { weir: { admission: { cpu: { primary: { soft: '80' } } } } },
      transient: { weir: { admission: { corroborate: 'false' } } },
    };
    const flat = { persistent: { [CPU]: '80' }, transient: { 'weir.admission.corroborate': 'false' } };
    expect(await put(body)).toEqual({ status: 200, body: { acknowledged: true, ...nested } });
    expect((await put(body, '?flat_settings=true')).body).toEqual({ acknowledged: true, ...flat });
    expect((await ask('GET', '/_cluster/settings')).body).toEqual(nested);
    expect((await ask('GET', '/_cluster/settings?flat_settings')).body).toEqual(flat);
    expect(store.current().admission.signals.cpu.limits.primary.soft).toBe(80);
  });

  it('C082: what a tool saved, changed and puts back is as before, also where nothing was set', async () => {
    await put({ persistent: { [CPU]: 80 } });
    const saved = (await ask('GET', '/_cluster/settings?flat_settings=true')).body;
    await put({ persistent: { [CPU]: 70 }, transient: { [CPU]: 60 } });
    await put({ ...saved, transient: { [CPU]: null } });
    expect((await ask('GET', '/_cluster/settings?flat_settings=true')).body).toEqual(saved);
  });

  it('C072: null takes a value back to its default, which include_defaults shows', async () => {
    await put({ persistent: { [CPU]: 80 } });
    expect((await put({ persistent: { [CPU]: null } })).body).toEqual({
      acknowledged: true,
      persistent: {},
      transient: {},
    });
    const { body } = await ask('GET', '/_cluster/settings?include_defaults=true&flat_settings=true');
    expect([body.persistent, body.defaults[CPU]]).toEqual([{}, '90']);
  });

  it('C079: include_defaults lists every limit in effect, and what was fixed at start without secrets', async () => {
    await put({ persistent: { [CPU]: 80 } });
    const { body } = await ask('GET', '/_cluster/settings?include_defaults=true&flat_settings=true');
    expect(body.defaults).toMatchObject({
      'weir.bulk.max_body': '100mb',
      'weir.admission.epoch': '90s',
      'weir.node.name': 'c1',
      'weir.redis.url': 'redis://***@host',
    });
    expect(body.defaults).not.toHaveProperty([CPU]);
    expect(body.defaults).not.toHaveProperty(['weir.cluster.secret']);
    const nested = (await ask('GET', '/_cluster/settings?include_defaults')).body;
    expect(nested.defaults.weir.bulk.max_body).toBe('100mb');
  });

  it('refuses what it cannot do, naming it, and changes nothing', async () => {
    expect(reasonOf(await put({ transient: { 'weir.nope': 1 } }))).toEqual([
      400,
      'settings_exception',
      'transient setting [weir.nope], not recognized',
    ]);
    expect(reasonOf(await put({ persistent: { 'weir.http.port': 1 } }))).toEqual([
      400,
      'settings_exception',
      'persistent setting [weir.http.port], not dynamically updateable',
    ]);
    expect(reasonOf(await put({ persistent: { [CPU]: 'x' } }))[2]).toContain(
      `Failed to parse value [x] for setting [${CPU}]`,
    );
    expect(reasonOf(await put({}))).toEqual([
      400,
      'action_request_validation_exception',
      'Validation Failed: 1: no settings to update;',
    ]);
    expect(reasonOf(await ask('PUT', '/_cluster/settings'))).toEqual([
      400,
      'parse_exception',
      'request body is required',
    ]);
    expect(reasonOf(await put('{"persistent":'))[1]).toBe('parse_exception');
    expect(reasonOf(await put('{"persistent":NaN}'))[0]).toBe(400);
    expect(reasonOf(await put({ persistent: { [CPU]: 80 } }, '?flat_settings=maybe'))[0]).toBe(400);
    expect(reasonOf(await put({ persistent: { [CPU]: 80 } }, '?bogus=1'))[2]).toBe(
      'request [/_cluster/settings] contains unrecognized parameter: [bogus]',
    );
    expect(store.document().version).toBe(0);
  });

  it('deeply nested and huge bodies are cheap 400s', async () => {
    const deep = `{"persistent":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`;
    expect((await put(deep)).status).toBe(400);
    expect(
      (await put({ persistent: { [CPU]: 'x'.repeat(1_000_000) } })).body.error.reason.length,
    ).toBeLessThan(500);
  });

  it('another method is a 405', async () => {
    expect((await ask('POST', '/_cluster/settings', {})).status).toBe(405);
  });

  it('a bus that is down is a 503, and what counts stays', async () => {
    bus.isDown = true;
    expect((await put({ persistent: { [CPU]: 80 } })).status).toBe(503);
    expect((await ask('GET', '/_cluster/settings')).status).toBe(200);
  });
});

describe('/_weir/settings', () => {
  it('shows version, author, time, every value with its source, and what each node has applied', async () => {
    await ask('PUT', '/_weir/settings', { transient: { [CPU]: 80 } }, { 'x-weir-author': 'ops' });
    const { body } = await ask('GET', '/_weir/settings');
    expect(body).toMatchObject({
      version: 1,
      author: 'ops',
      time: '2023-11-14T22:13:20.000Z',
      nodes: {
        dn1: { version: 1, versions_behind: 0, age_ms: 12 },
        dn2: { version: 0, versions_behind: 1, age_ms: 900 },
      },
    });
    expect(body.settings[CPU]).toEqual({ value: '80', source: 'transient', default: '90' });
    expect(body.settings['weir.admission.epoch']).toEqual({ value: '90s', source: 'file', default: '1m' });
    expect(body.settings['weir.bulk.refusal']).toEqual({ value: 'item', source: 'default', default: 'item' });
  });

  it('if_version lets only a change of that version through', async () => {
    const change = (value: number, version: unknown) =>
      ask('PUT', `/_weir/settings?if_version=${version}`, { persistent: { [CPU]: value } });
    expect((await change(80, 0)).body).toMatchObject({ acknowledged: true, version: 1 });
    expect(reasonOf(await change(70, 0))).toEqual([
      409,
      'version_conflict_exception',
      'settings version conflict, current version [1] is different than the one provided [0]',
    ]);
    expect((await change(70, 'x')).status).toBe(400);
    expect((await change(70, -1)).status).toBe(400);
    expect(store.document().version).toBe(1);
  });

  it('a dry run tells what would change', async () => {
    const { status, body } = await ask('PUT', '/_weir/settings?dry_run=true', { persistent: { [CPU]: 80 } });
    expect([status, body]).toEqual([
      200,
      {
        acknowledged: false,
        dry_run: true,
        version: 0,
        persistent: { weir: { admission: { cpu: { primary: { soft: '80' } } } } },
        transient: {},
        changes: [{ scope: 'persistent', key: CPU, old: null, new: '80' }],
      },
    ]);
    expect(store.document().version).toBe(0);
  });

  it('the history lists changes with author, old and new value, newest first', async () => {
    const apiKey = Buffer.from('deploy-key:s3cret').toString('base64');
    await ask(
      'PUT',
      '/_cluster/settings',
      { persistent: { [CPU]: 80 } },
      { authorization: `ApiKey ${apiKey}` },
    );
    await ask('PUT', '/_cluster/settings', { persistent: { [CPU]: null } });
    const { body } = await ask('GET', '/_weir/settings/history');
    expect(body.history).toMatchObject([
      { version: 2, author: 'anonymous', changes: [{ scope: 'persistent', key: CPU, old: '80', new: null }] },
      {
        version: 1,
        author: 'deploy-key',
        changes: [{ scope: 'persistent', key: CPU, old: null, new: '80' }],
      },
    ]);
    expect(JSON.stringify(body)).not.toContain('s3cret');
  });

  it('strangers may read but not write', async () => {
    await listening.stop(100);
    await start({ secret: 'a-long-enough-secret', insecure: false, loopbackOnly: false });
    const body = { persistent: { [CPU]: 80 } };
    expect((await put(body)).status).toBe(403);
    expect((await ask('PUT', '/_weir/settings', body)).status).toBe(403);
    expect((await ask('GET', '/_weir/settings')).status).toBe(200);
    const secret = { 'x-weir-cluster-secret': 'a-long-enough-secret' };
    expect((await ask('PUT', '/_cluster/settings', body, secret)).status).toBe(200);
  });
});
