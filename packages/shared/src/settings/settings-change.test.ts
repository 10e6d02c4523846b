import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { WeirError } from '../ops/errors.ts';
import { nestSettings } from './flat-settings.ts';
import { changeSettings } from './settings-change.ts';
import type { SettingsLayers } from './settings-layers.ts';
import { resolveSetting } from './settings-layers.ts';
import { DYNAMIC_KEYS, SETTINGS } from './settings-schema.ts';

const NOTHING: SettingsLayers = { persistent: new Map(), transient: new Map(), file: new Map() };
const layers = (more: {
  persistent?: Record<string, string>;
  transient?: Record<string, string>;
  file?: Record<string, string>;
}): SettingsLayers => ({
  persistent: new Map(Object.entries(more.persistent ?? {})),
  transient: new Map(Object.entries(more.transient ?? {})),
  file: new Map(Object.entries(more.file ?? {})),
});
const plain = (flat: ReadonlyMap<string, string>): Record<string, string> => Object.fromEntries(flat);

/** `type: message` of the error that a body is refused with; also checks that nothing was changed. */
function refusal(body: unknown, from: SettingsLayers = NOTHING): string {
  try {
    changeSettings(from, body);
  } catch (error) {
    if (error instanceof WeirError) return `${error.type}: ${error.message}`;
    throw error;
  }
  return 'not refused';
}

const CPU = 'weir.admission.cpu.primary.soft';
const RATIO = 'weir.indexing_pressure.replica_factor';
const SHED = 'weir.admission.max_shed_ratio';

describe('a settings change', () => {
  it('H1: changes the settings it names in their scope and keeps the rest', () => {
    const before = layers({
      persistent: { [RATIO]: '1.5', [CPU]: '2.5' },
      transient: { [RATIO]: '3.5', [CPU]: '4.5' },
    });
    const after = changeSettings(before, { transient: { [SHED]: '.5' }, persistent: { [SHED]: '.4' } });
    expect(plain(after.persistent)).toEqual({ [RATIO]: '1.5', [CPU]: '2.5', [SHED]: '.4' });
    expect(plain(after.transient)).toEqual({ [RATIO]: '3.5', [CPU]: '4.5', [SHED]: '.5' });
    const again = changeSettings(
      { ...after, file: new Map() },
      { transient: { [RATIO]: '1.1' }, persistent: { [RATIO]: 1.2 } },
    );
    expect([again.persistent.get(RATIO), again.transient.get(RATIO), again.transient.get(CPU)]).toEqual([
      '1.2',
      '1.1',
      '4.5',
    ]);
  });

  it('H2: a wildcard null clears what matches in its scope and leaves the other scope', () => {
    const before = layers({
      persistent: { [CPU]: '80', [RATIO]: '2' },
      transient: { [CPU]: '70', [RATIO]: '3' },
    });
    const after = changeSettings(before, { transient: { 'weir.*': null } });
    expect([plain(after.transient), plain(after.persistent)]).toEqual([{}, { [CPU]: '80', [RATIO]: '2' }]);
  });

  it('a wildcard null that matches nothing is fine, null for an unknown key is not', () => {
    expect(changeSettings(NOTHING, { persistent: { 'weir.none.*': null } }).changes).toEqual([]);
    expect(refusal({ persistent: { 'weir.none': null } })).toContain(
      'persistent setting [weir.none], not recognized',
    );
  });

  it('what is taken away goes before what is put', () => {
    const before = layers({ persistent: { [CPU]: '80', [RATIO]: '2' } });
    const after = changeSettings(before, { persistent: { [CPU]: 85, 'weir.*': null } });
    expect(plain(after.persistent)).toEqual({ [CPU]: '85' });
  });

  it('H4: a value that cannot be read is refused by name, with what is allowed', () => {
    expect(refusal({ persistent: { [SHED]: '1', [CPU]: 'not a float' } })).toBe(
      `illegal_argument_exception: Failed to parse value [not a float] for setting [${CPU}]: not a number, allowed: a number from 0 to 100`,
    );
  });

  it('H5: an unknown key is refused by name, with the nearest known one', () => {
    expect(refusal({ transient: { 'weir.admission.cpu.primary.sofft': 1 } })).toBe(
      `settings_exception: transient setting [weir.admission.cpu.primary.sofft], not recognized, did you mean [${CPU}]?`,
    );
    expect(refusal({ persistent: { 'cluster.routing.allocation.enable': 'all' } })).toBe(
      'settings_exception: persistent setting [cluster.routing.allocation.enable], not recognized',
    );
  });

  it.each([
    'weir.node.name',
    'weir.http.port',
    'weir.data.path',
    'weir.redis.url',
    'weir.engine',
    'weir.cluster.name',
  ])('H6: %s is fixed at start', (key) => {
    const expected = `settings_exception: persistent setting [${key}], not dynamically updateable`;
    expect(refusal({ persistent: { [key]: 'x' } })).toBe(expected);
    expect(refusal({ persistent: { [key]: null } })).toBe(expected);
  });

  it('a body without settings is refused with what is missing', () => {
    const nothing = 'action_request_validation_exception: Validation Failed: 1: no settings to update';
    expect(refusal(undefined)).toBe('parse_exception: request body is required');
    for (const body of [{}, { persistent: {} }, { persistent: { weir: {} }, transient: {} }])
      expect(refusal(body)).toBe(`${nothing};`);
    expect(refusal({ transiemt: { [CPU]: 80 } })).toBe(
      `${nothing} in unknown scope [transiemt], allowed are [persistent, transient];`,
    );
    expect(refusal({ persistent: { [CPU]: 80 }, defaults: {} })).toContain('unknown scope [defaults]');
  });

  it.each([[[]], ['text'], [5], [null], [true]])('the body %j is refused', (body) => {
    expect(refusal(body)).toContain('request body must be an object');
  });

  it.each([[[]], ['text'], [5], [null]])('the scope %j is refused', (scope) => {
    expect(refusal({ persistent: scope })).toContain('[persistent] must be an object of settings, got');
  });

  it('C072: null takes every key back to its default', () => {
    for (const key of DYNAMIC_KEYS) {
      const text = SETTINGS.get(key)?.default ?? '';
      const after = changeSettings(layers({ persistent: { [key]: text } }), { persistent: { [key]: null } });
      expect(after.persistent.has(key)).toBe(false);
      expect(resolveSetting({ ...NOTHING, persistent: after.persistent }, key)).toMatchObject({
        text,
        source: 'default',
      });
    }
  });

  it('C074: transient hides persistent without losing it', () => {
    const effective = (of: SettingsLayers): unknown => resolveSetting(of, CPU).value;
    const step1 = changeSettings(NOTHING, { transient: { [CPU]: 70 }, persistent: { [CPU]: 80 } });
    const step2 = changeSettings({ ...step1, file: new Map() }, { persistent: { [RATIO]: 2 } });
    const step3 = changeSettings({ ...step2, file: new Map() }, { transient: { [CPU]: null } });
    expect([step1, step2, step3].map((step) => effective({ ...step, file: new Map() }))).toEqual([
      70, 70, 80,
    ]);
  });

  it('C075: rules between settings are checked at once, with both keys and both values', () => {
    const primary80 = layers({ persistent: { [CPU]: '80' } });
    expect(refusal({ persistent: { 'weir.admission.cpu.replica.soft': 50 } }, primary80)).toBe(
      'illegal_argument_exception: setting [weir.admission.cpu.replica.soft] is [50] and must not be below [weir.admission.cpu.primary.soft], which is [80]',
    );
    expect(refusal({ persistent: { [SHED]: 1.2 } })).toContain('too large, allowed: a number from 0 to 1');
    expect(refusal({ persistent: { 'weir.admission.stats_ttl': '1s' } })).toBe(
      'illegal_argument_exception: setting [weir.admission.stats_ttl] is [1s] and must not be below 2 × [weir.stats.interval], which is [1s]',
    );
    expect(refusal({ persistent: { 'weir.admission.heap.primary.soft': 93 } })).toContain(
      '[weir.admission.heap.primary.hard] is [92] and must not be below [weir.admission.heap.primary.soft], which is [93]',
    );
    expect(refusal({ persistent: { 'weir.retry_after.min': '2m' } })).toContain(
      '[weir.retry_after.max] is [1m]',
    );
  });

  it('C075: both sides of a rule can be raised in one request, in either order of keys', () => {
    const [interval, ttl] = ['weir.stats.interval', 'weir.admission.stats_ttl'];
    for (const persistent of [
      { [interval]: '10s', [ttl]: '30s' },
      { [ttl]: '30s', [interval]: '10s' },
    ])
      expect(changeSettings(NOTHING, { persistent }).persistent.size).toBe(2);
  });

  it('I4: persistent settings have to be right by themselves, also while a transient value hides them', () => {
    const hidden = layers({ transient: { [CPU]: '50' } });
    expect(refusal({ persistent: { 'weir.admission.cpu.replica.soft': 60 } }, hidden)).toContain(
      'must not be below [weir.admission.cpu.primary.soft], which is [90]',
    );
  });

  it('I4: taking a value away is checked like putting one', () => {
    const low = layers({ persistent: { [CPU]: '50', 'weir.admission.cpu.replica.soft': '60' } });
    expect(refusal({ persistent: { [CPU]: null } }, low)).toContain('which is [90]');
    expect(changeSettings(low, { persistent: { 'weir.admission.cpu.*': null } }).persistent.size).toBe(0);
  });

  it.each([140, -5, '101', 100.5, -0.1])(
    'C077: a percentage of %j is refused with the allowed range',
    (value) => {
      expect(refusal({ persistent: { 'weir.admission.heap.primary.soft': value } })).toContain(
        'allowed: a number from 0 to 100',
      );
    },
  );

  it('C082: tells what was set, as text in the form it was given', () => {
    const { requested, changes } = changeSettings(layers({ persistent: { [RATIO]: '2' } }), {
      persistent: { [CPU]: 80, 'weir.admission.corroborate': false, [RATIO]: '2' },
      transient: { 'weir.admission.epoch': '30s' },
    });
    expect(plain(requested.persistent)).toEqual({
      [CPU]: '80',
      'weir.admission.corroborate': 'false',
      [RATIO]: '2',
    });
    expect(plain(requested.transient)).toEqual({ 'weir.admission.epoch': '30s' });
    expect(changes).toEqual([
      { scope: 'persistent', key: 'weir.admission.corroborate', from: null, to: 'false' },
      { scope: 'persistent', key: CPU, from: null, to: '80' },
      { scope: 'transient', key: 'weir.admission.epoch', from: null, to: '30s' },
    ]);
  });

  it('nested, dotted and mixed forms mean the same', () => {
    const forms = [
      { [CPU]: 80 },
      { weir: { admission: { cpu: { primary: { soft: 80 } } } } },
      { 'weir.admission': { 'cpu.primary': { soft: 80 } } },
    ];
    for (const persistent of forms)
      expect(plain(changeSettings(NOTHING, { persistent }).persistent)).toEqual({ [CPU]: '80' });
    expect(
      refusal({ persistent: { [CPU]: 80, weir: { admission: { cpu: { primary: { soft: 70 } } } } } }),
    ).toContain(`setting [${CPU}] is given more than once in [persistent]`);
  });

  it.each(['NaN', 'Infinity', '-Infinity', '1e999', '0x50', '', ' 80', '80%', true])(
    'a percentage of %j is refused',
    (value) => {
      expect(refusal({ persistent: { [CPU]: value } })).toContain(
        `Failed to parse value [${value}] for setting`,
      );
    },
  );

  it('numbers too large for JSON, lists and nested lists are refused by name', () => {
    expect(refusal(JSON.parse(`{"persistent":{"${CPU}":1e400}}`))).toContain(
      'Failed to parse value [Infinity]',
    );
    for (const [list, shown] of [
      [[80], '[80]'],
      [[], '[]'],
      [[1, 2, 3], '[1, …]'],
      [[[[]]], '[…]'],
    ])
      expect(refusal({ persistent: { [CPU]: list } })).toBe(
        `illegal_argument_exception: Failed to parse value [${shown}] for setting [${CPU}]: lists are not allowed`,
      );
  });

  it('__proto__ and the like are keys like any other: unknown', () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(refusal(JSON.parse(`{"persistent":{"${name}":{"${CPU}":80}}}`))).toContain('not recognized');
      expect(refusal(JSON.parse(`{"persistent":{"${name}":"x"}}`))).toContain('not recognized');
      expect(refusal(JSON.parse(`{"${name}":{"${CPU}":80}}`))).toContain('no settings to update');
    }
    expect(({} as Record<string, unknown>)[CPU]).toBeUndefined();
  });

  it('deep, wide and long bodies are refused with short errors', () => {
    let deep: unknown = 80;
    for (let level = 0; level < 5_000; level += 1) deep = { a: deep };
    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, key) => [`k${key}`, 1]));
    const bodies = [
      deep,
      wide,
      { [CPU]: 'x'.repeat(1e6) },
      { ['k'.repeat(1e6)]: 1 },
      { [CPU]: Array(1e6).fill(0) },
    ];
    for (const persistent of bodies) {
      const message = refusal({ persistent });
      expect([message === 'not refused', message.length < 500]).toEqual([false, true]);
    }
  });

  it.each([
    [
      'weir.stats.interval',
      '12',
      'not a time value, unit is missing or unrecognized, allowed: a time from 100ms to 10s',
    ],
    ['weir.stats.interval', '11s', 'too large, allowed: a time from 100ms to 10s'],
    ['weir.admission.mode', 'on', 'allowed: one of [enforced, monitor_only, disabled]'],
    ['weir.admission.corroborate', 'yes', 'not a boolean, allowed: only [true] or [false]'],
    ['weir.bulk.max_body', '3gb', 'too large, allowed: a size from 1kb to 1gb'],
    [
      'weir.indexing_pressure.limit',
      '60%',
      'too large, allowed: a size of at least 1mb, or a percentage above 0% up to 50%',
    ],
    ['weir.indexing_pressure.limit', '0%', 'too small'],
    ['weir.indexing_pressure.limit', '10kb', 'too small'],
    ['weir.log.refusals_per_second', '1.5', 'not a whole number'],
    ['action.auto_create_index', '+', 'allowed: true, false, or up to 100 names'],
  ])('%s does not take %s: %s', (key, value, expected) => {
    expect(refusal({ persistent: { [key]: value } })).toContain(expected);
  });

  it('every default is a value its own setting takes, and all defaults together break no rule', () => {
    const defaults = Object.fromEntries(DYNAMIC_KEYS.map((key) => [key, SETTINGS.get(key)?.default]));
    expect(changeSettings(NOTHING, { persistent: defaults }).persistent.size).toBe(DYNAMIC_KEYS.length);
  });

  it('round trip: what is shown nested, put back, changes nothing', () => {
    const some = fc.subarray([...DYNAMIC_KEYS]).filter((keys) => keys.length > 0);
    fc.assert(
      fc.property(some, (keys) => {
        const persistent = Object.fromEntries(keys.map((key) => [key, SETTINGS.get(key)?.default ?? '']));
        const before = changeSettings(NOTHING, { persistent });
        const nested = nestSettings(before.persistent);
        expect(changeSettings({ ...before, file: new Map() }, { persistent: nested }).changes).toEqual([]);
      }),
    );
  });

  it('whatever is accepted can be read; whatever is refused is an error of ours', () => {
    const value = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null), fc.jsonValue());
    const entry = fc.tuple(fc.constantFrom(...DYNAMIC_KEYS, 'weir.x', '*', 'weir.*'), value);
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const body = { persistent: Object.fromEntries(entries) };
        if (refusal(body) !== 'not refused') return;
        const { persistent } = changeSettings(NOTHING, body);
        for (const [key, text] of persistent)
          expect(resolveSetting({ ...NOTHING, persistent }, key)).toMatchObject({
            text,
            source: 'persistent',
          });
      }),
    );
  });
});
