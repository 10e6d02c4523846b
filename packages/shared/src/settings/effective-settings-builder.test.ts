import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SIGNALS } from '../admission/signals.ts';
import { limitOf } from './effective-settings.ts';
import { buildEffectiveSettings } from './effective-settings-builder.ts';
import { checkFileSettings, fileSettings } from './settings-file.ts';
import { resolveSetting, type SettingsLayers } from './settings-layers.ts';
import { DYNAMIC_KEYS, SETTINGS } from './settings-schema.ts';
import { limitKey } from './signal-settings.ts';

const flat = (values: Record<string, string>) => new Map(Object.entries(values));
const NOTHING: SettingsLayers = { persistent: new Map(), transient: new Map(), file: new Map() };

describe('effective settings', () => {
  it('of an untouched cluster are the documented defaults', () => {
    const { settings, problems } = buildEffectiveSettings(NOTHING, 0);
    expect(problems).toEqual([]);
    const limits = Object.fromEntries(
      SIGNALS.map((signal) => [signal, settings.admission.signals[signal].limits]),
    );
    expect(limits).toEqual({
      cpu: {
        primary: { soft: 90, hard: 100 },
        replica: { soft: 95, hard: 100 },
        coordinator: { soft: 95, hard: 100 },
      },
      heap: {
        primary: { soft: 80, hard: 92 },
        replica: { soft: 88, hard: 96 },
        coordinator: { soft: 80, hard: 92 },
      },
      io: { primary: { soft: 90, hard: 100 }, replica: { soft: 95, hard: 100 }, coordinator: undefined },
      event_loop: {
        primary: { soft: 90, hard: 100 },
        replica: { soft: 95, hard: 100 },
        coordinator: { soft: 92, hard: 100 },
      },
      queue: { primary: { soft: 400, hard: 500 }, replica: { soft: 600, hard: 750 }, coordinator: undefined },
    });
    const { signals: _, ...admission } = settings.admission;
    expect({ ...settings, admission }).toEqual({
      version: 0,
      admission: {
        mode: 'enforced',
        leaveMargin: 5,
        minHoldMs: 2_000,
        maxShedRatio: 0.95,
        corroborate: true,
        epochMs: 60_000,
        statsTtlMs: 5_000,
        coordinatorEnabled: true,
      },
      stats: { intervalMs: 1_000 },
      indexingPressure: { limit: { percent: 10 }, replicaFactor: 1.5 },
      replication: { onReplicaRefusal: 'retry', retryTimeoutMs: 60_000, reserve: 'auto' },
      bulk: { refusal: 'item', maxBodyBytes: 104_857_600 },
      retryAfter: { enabled: true, minMs: 1_000, maxMs: 60_000 },
      log: { refusalsPerSecond: 5 },
      opensearch: { onAgentLoss: 'direct' },
      autoCreateIndex: [{ allow: true, pattern: '*' }],
      maxShardsPerNode: 1_000,
    });
  });

  it('C080: transient wins over persistent over file over default', () => {
    const key = 'weir.admission.epoch';
    const layers = {
      file: flat({ [key]: '20s' }),
      persistent: flat({ [key]: '30s' }),
      transient: flat({ [key]: '40s' }),
    };
    const epoch = (some: Partial<SettingsLayers>): [number, string] => [
      buildEffectiveSettings({ ...NOTHING, ...some }, 1).settings.admission.epochMs,
      resolveSetting({ ...NOTHING, ...some }, key).source,
    ];
    const { file, persistent } = layers;
    expect([epoch({}), epoch({ file }), epoch({ file, persistent }), epoch(layers)]).toEqual([
      [60_000, 'default'],
      [20_000, 'file'],
      [30_000, 'persistent'],
      [40_000, 'transient'],
    ]);
  });

  it('A2: a signal takes the master mode unless it has its own', () => {
    const persistent = flat({ 'weir.admission.mode': 'disabled', 'weir.admission.cpu.mode': 'enforced' });
    const { signals } = buildEffectiveSettings({ ...NOTHING, persistent }, 1).settings.admission;
    expect([signals.cpu.mode, signals.heap.mode]).toEqual(['enforced', 'disabled']);
  });

  it('C155: a value a newer version wrote gives way to the layer below, and is named', () => {
    const transient = flat({ 'weir.admission.mode': 'adaptive', 'weir.brand_new': '1' });
    const persistent = flat({ 'weir.admission.mode': 'monitor_only' });
    const { settings, problems } = buildEffectiveSettings({ ...NOTHING, transient, persistent }, 1);
    expect(settings.admission.mode).toBe('monitor_only');
    expect(problems).toEqual([
      expect.stringContaining('Failed to parse value [adaptive] for setting [weir.admission.mode]'),
      expect.stringContaining('[weir.brand_new], not recognized'),
    ]);
  });

  it('I4: a replica limit that another file would put below the primary limit is raised to it', () => {
    const persistent = flat({
      [limitKey('cpu', 'replica', 'soft')]: '60',
      [limitKey('cpu', 'primary', 'soft')]: '50',
    });
    const file = flat({ [limitKey('cpu', 'primary', 'hard')]: '100' });
    const lower = buildEffectiveSettings({ ...NOTHING, persistent, file }, 1).settings;
    expect(limitOf(lower, 'cpu', 'replica')).toEqual({ soft: 60, hard: 100 });
    const without = new Map([...persistent].slice(0, 1));
    const { settings, problems } = buildEffectiveSettings({ ...NOTHING, persistent: without }, 1);
    expect(limitOf(settings, 'cpu', 'replica')).toEqual({ soft: 90, hard: 100 });
    expect(problems).toEqual([
      'setting [weir.admission.cpu.replica.soft] is [60] and must not be below [weir.admission.cpu.primary.soft], which is [90]; raised to it',
    ]);
  });

  it('I4: are in order whatever the layers hold', () => {
    const layer = fc
      .array(
        fc.tuple(
          fc.constantFrom(...DYNAMIC_KEYS),
          fc.oneof(fc.integer({ min: 0, max: 100 }).map(String), fc.string()),
        ),
      )
      .map((entries) => new Map(entries));
    fc.assert(
      fc.property(layer, layer, layer, (transient, persistent, file) => {
        const { settings } = buildEffectiveSettings({ transient, persistent, file }, 1);
        for (const signal of SIGNALS) {
          const { primary, replica, coordinator } = settings.admission.signals[signal].limits;
          expect(primary.soft).toBeLessThanOrEqual(primary.hard);
          expect(replica.soft).toBeLessThanOrEqual(replica.hard);
          expect(replica.soft).toBeGreaterThanOrEqual(primary.soft);
          expect(replica.hard).toBeGreaterThanOrEqual(primary.hard);
          if (coordinator !== undefined) expect(coordinator.soft).toBeLessThanOrEqual(coordinator.hard);
        }
        expect(settings.admission.statsTtlMs).toBeGreaterThanOrEqual(2 * settings.stats.intervalMs);
        expect(settings.retryAfter.minMs).toBeLessThanOrEqual(settings.retryAfter.maxMs);
      }),
    );
  });
});

describe('settings of a file', () => {
  it('are taken as text, whatever JSON type they have', () => {
    expect(fileSettings({ 'weir.admission.corroborate': false, 'weir.admission.leave_margin': 4 })).toEqual(
      flat({ 'weir.admission.corroborate': 'false', 'weir.admission.leave_margin': '4' }),
    );
  });

  it('C079: an impossible value is a mistake that is named at start', () => {
    expect(checkFileSettings({ 'weir.bulk.max_body': '3gb' })).toEqual([
      'Failed to parse value [3gb] for setting [weir.bulk.max_body]: too large, allowed: a size from 1kb to 1gb',
    ]);
    expect(checkFileSettings({ 'weir.bulk.max_body': '200mb' })).toEqual([]);
  });

  it('all mistakes are told at once: unknown keys, bad values, lists', () => {
    expect(
      checkFileSettings({
        'weir.admision.mode': 'enforced',
        'weir.admission.epoch': ['60s'],
        'weir.admission.mode': 1,
      }),
    ).toEqual([
      'setting [weir.admision.mode], not recognized, did you mean [weir.admission.mode]?',
      expect.stringContaining('Failed to parse value [["60s"]] for setting [weir.admission.epoch]'),
      expect.stringContaining('Failed to parse value [1] for setting [weir.admission.mode]'),
    ]);
  });

  it('are checked against the rules between settings', () => {
    expect(checkFileSettings({ 'weir.stats.interval': '4s' })).toEqual([
      'setting [weir.admission.stats_ttl] is [5s] and must not be below 2 × [weir.stats.interval], which is [4s]',
    ]);
  });
});

describe('the schema', () => {
  it('describes every setting with its bounds', () => {
    for (const [key, { description, allowed }] of SETTINGS) {
      expect([key, description.length > 10, allowed.length > 3]).toEqual([key, true, true]);
    }
  });
});
