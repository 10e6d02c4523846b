// How a change of settings reaches every process of a running cluster, and what of it is left after a restart.
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  type Bus,
  systemClock as clock,
  connectRedisBus,
  systemRng as rng,
  SettingsStore,
  systemTimers as timers,
} from '@weir/shared';
import { settingsVersion, untilApplied } from '../support/applied-settings.ts';
import { bulkItems } from '../support/bulk-items.ts';
import { CPU_LIMIT_0 } from '../support/limit-zero.ts';
import { type RunningCluster, startRunningCluster } from '../support/running-cluster.ts';

jest.setTimeout(120_000);

const SERVICES = ['c1', 'c2', 'dn1', 'dn2'] as const;

let cluster: RunningCluster;
beforeAll(async () => {
  cluster = await startRunningCluster({ coordinators: 2, dataNodes: 2 });
});
afterAll(() => cluster.stop());

const put = (settings: object, scope = 'transient') =>
  cluster.send('PUT', '/_cluster/settings', { [scope]: settings });
const reset = () =>
  cluster.send('PUT', '/_cluster/settings', {
    persistent: { 'weir.*': null },
    transient: { 'weir.*': null },
  });
const three = ['a', 'b', 'c'].flatMap((_id) => [{ index: { _id } }, '{"x":1}']);

describe('a changed limit', () => {
  beforeAll(async () => {
    await cluster.bulk('/logs/_bulk', ...three);
  });
  afterEach(async () => {
    await reset();
  });

  it('acts on every node through the bus within a moment, and the other coordinator refuses by it', async () => {
    const version = (await settingsVersion(cluster, 'c1')) + 1;
    await put(CPU_LIMIT_0);
    expect(await untilApplied(cluster, SERVICES, version)).toBeLessThan(2_000);
    const { body } = await cluster.at('c2').bulk('/logs/_bulk', ...three);
    expect(bulkItems(body).map(({ status }) => status)).toEqual([429, 429, 429]);
  });

  it('acts within 2 s although its message was lost', async () => {
    const bus = await connectRedisBus({
      ...{ url: cluster.redis.url, cluster: 'weir', clock, timers, rng },
      log: { warn: () => undefined },
    });
    const silent = new Proxy<Bus>(bus, {
      get: (target, key) =>
        key === 'publish' ? async () => undefined : Reflect.get(target, key, target).bind(target),
    });
    const store = new SettingsStore({ bus: silent, clock, timers, rng, log: { warn: () => undefined } });
    try {
      await store.start();
      const { version } = await store.change({ transient: CPU_LIMIT_0 }, { author: 'lost' });
      const tookMs = await untilApplied(cluster, SERVICES, version);
      expect(tookMs).toBeLessThan(2_000);
      const { body } = await cluster.at('c2').bulk('/logs/_bulk', ...three);
      expect(bulkItems(body)[0]?.status).toBe(429);
    } finally {
      await store.close();
      await bus.close();
    }
  });

  it('C083: two changes in a row through two coordinators end as the second everywhere', async () => {
    const key = 'weir.admission.cpu.primary.soft';
    for (const [name, value] of [
      ['c1', 70],
      ['c2', 80],
    ] as const)
      await cluster.at(name).send('PUT', '/_cluster/settings', { persistent: { [key]: value } });
    await untilApplied(cluster, SERVICES, await settingsVersion(cluster, 'c2'));
    for (const name of ['c1', 'c2'])
      expect((await cluster.at(name).ask('/_cluster/settings?flat_settings=true')).body).toEqual({
        persistent: { [key]: '80' },
        transient: {},
      });
  });

  it('C074, C080: survives a restart of everything when it is persistent, and does not when it is transient', async () => {
    await put({ 'weir.admission.io.primary.soft': 71 }, 'persistent');
    await put({ 'weir.admission.io.primary.hard': 99 });
    await cluster.restart();
    const { body } = await cluster.ask('/_cluster/settings?flat_settings=true');
    expect(body).toEqual({ persistent: { 'weir.admission.io.primary.soft': '71' }, transient: {} });
    const { settings } = (await cluster.at('c2').ask('/_weir/settings')).body as {
      settings: Record<string, unknown>;
    };
    expect(settings['weir.admission.io.primary.soft']).toEqual({
      ...{ value: '71', source: 'persistent', default: '90' },
    });
    expect(settings['weir.admission.io.primary.hard']).toMatchObject({ value: '100', source: 'default' });
  });
});
