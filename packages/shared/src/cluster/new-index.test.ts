import { describe, expect, it } from '@jest/globals';
import { WeirError } from '../ops/errors.ts';
import { ManualClock, seededRng } from '../testing/index.ts';
import { indexMetadataSchema } from './index-metadata.ts';
import { newIndex } from './new-index.ts';

const place = { nodeIds: ['dn1', 'dn2'], indices: [], clock: new ManualClock(), rng: seededRng(1) };
const make = (body: unknown) => newIndex('logs', body, place);

function refusal(body: unknown, name = 'logs'): string {
  try {
    newIndex(name, body, place);
  } catch (error) {
    if (error instanceof WeirError) return `${error.type}: ${error.message}`;
    throw error;
  }
  return 'not refused';
}

describe('a new index', () => {
  it('has one primary and one replica unless its creator says otherwise', () => {
    for (const body of [undefined, {}, { settings: {} }, { settings: { index: { number_of_shards: null } } }])
      expect(make(body)).toMatchObject({
        number_of_shards: 1,
        number_of_replicas: 1,
        routing_num_shards: 1024,
        routing_partition_size: 1,
        shards: [{ primary: { node: 'dn1' }, replicas: [{ node: 'dn2' }] }],
      });
  });

  it('takes settings nested or dotted, with or without index., as numbers or text', () => {
    for (const settings of [
      { index: { number_of_shards: 3, number_of_replicas: 0 } },
      { number_of_shards: '3', number_of_replicas: '0' },
      { 'index.number_of_shards': '3', index: { number_of_replicas: 0 } },
    ])
      expect(make({ settings })).toMatchObject({ number_of_shards: 3, number_of_replicas: 0 });
  });

  it('is metadata that its own schema reads back the same', () => {
    const made = make({
      settings: { number_of_shards: 5, routing_partition_size: 3, refresh_interval: '5s' },
      mappings: { properties: { m: { type: 'text' } } },
    });
    expect(indexMetadataSchema.parse(JSON.parse(JSON.stringify(made)))).toEqual(made);
    expect(made).toMatchObject({
      routing_num_shards: 640,
      routing_partition_size: 3,
      settings: { 'index.refresh_interval': '5s' },
      mappings: { properties: { m: { type: 'text' } } },
    });
  });

  it('has a uuid like those of OpenSearch', () => {
    expect(make({}).uuid).toMatch(/^[A-Za-z0-9_-]{22}$/);
  });

  it('keeps settings that tune an engine, lists of analysis too', () => {
    const settings = {
      'index.codec': 'best_compression',
      'mapping.total_fields.limit': 2000,
      analysis: { analyzer: { a: { type: 'custom', filter: ['lowercase'] } } },
      'index.blocks.write': false,
      number_of_routing_shards: 8,
      number_of_shards: 4,
    };
    expect(make({ settings }).settings).toEqual({
      'index.codec': 'best_compression',
      'index.mapping.total_fields.limit': '2000',
      'index.analysis.analyzer.a.type': 'custom',
      'index.analysis.analyzer.a.filter': '["lowercase"]',
      'index.blocks.write': 'false',
      'index.number_of_routing_shards': '8',
    });
    expect(make({ settings }).routing_num_shards).toBe(8);
  });

  it.each([
    [
      { foo: 1 },
      'settings_exception: unknown setting [index.foo] please check that any required plugins are installed, or check the breaking changes documentation for removed settings',
    ],
    [
      { number_of_shard: 1 },
      'settings_exception: unknown setting [index.number_of_shard] did you mean [index.number_of_shards]?',
    ],
    [
      { 'blocks.write': true },
      'illegal_argument_exception: setting [index.blocks.write] is not supported by the embedded engine',
    ],
    [
      { default_pipeline: 'p' },
      'illegal_argument_exception: setting [index.default_pipeline] is not supported by the embedded engine',
    ],
    [
      { uuid: 'x' },
      'action_request_validation_exception: Validation Failed: 1: private index setting [index.uuid] can not be set explicitly;',
    ],
    [
      { number_of_shards: 0 },
      'illegal_argument_exception: Failed to parse value [0] for setting [index.number_of_shards] must be >= 1',
    ],
    [
      { number_of_shards: 1025 },
      'illegal_argument_exception: Failed to parse value [1025] for setting [index.number_of_shards] must be <= 1024',
    ],
    [
      { number_of_shards: 1.5 },
      'illegal_argument_exception: Failed to parse value [1.5] for setting [index.number_of_shards]',
    ],
    [
      { number_of_shards: 'x' },
      'illegal_argument_exception: Failed to parse value [x] for setting [index.number_of_shards]',
    ],
    [
      { number_of_shards: [1] },
      'illegal_argument_exception: Failed to parse value [[1]] for setting [index.number_of_shards]',
    ],
    [
      { number_of_replicas: -1 },
      'illegal_argument_exception: Failed to parse value [-1] for setting [index.number_of_replicas] must be >= 0',
    ],
    [
      { number_of_replicas: 1e9 },
      'illegal_argument_exception: Failed to parse value [1000000000] for setting [index.number_of_replicas] must be <= 100',
    ],
    [
      { number_of_shards: 1, 'index.number_of_shards': 2 },
      'illegal_argument_exception: setting [index.number_of_shards] is given more than once in [settings]',
    ],
    [
      { number_of_shards: 4, number_of_routing_shards: 2 },
      'illegal_argument_exception: index.number_of_routing_shards [2] must be >= index.number_of_shards [4]',
    ],
    [
      { number_of_shards: 3, number_of_routing_shards: 8 },
      'illegal_argument_exception: the number of source shards [3] must be a factor of [8]',
    ],
    [
      { number_of_shards: 2, number_of_routing_shards: 2, routing_partition_size: 2 },
      'illegal_argument_exception: routing partition size [2] should be a positive number less than the number of routing shards [2] for [logs]',
    ],
    ['x', 'illegal_argument_exception: [settings] must be an object of settings, got [x]'],
  ])('with settings %j is refused: %s', (settings, expected) => {
    expect(refusal({ settings })).toBe(expected);
  });

  it.each([
    [{ setings: {} }, 'parse_exception: unknown key [setings] for create index'],
    [
      { aliases: { a: {} } },
      'illegal_argument_exception: alias [a]: aliases are not supported by the embedded engine',
    ],
    [{ mappings: [] }, 'parse_exception: mappings of create index must be an object'],
    [[], 'parse_exception: request body of create index must be an object'],
    ['x', 'parse_exception: request body of create index must be an object'],
    [
      { mappings: { a: 'x'.repeat(2_000_000) } },
      'illegal_argument_exception: mappings have 2000008 characters, allowed are 1048576',
    ],
  ])('with a wrong body is refused', (body, expected) => {
    expect(refusal(body)).toBe(expected);
  });

  it('with a body nested without end is refused and harms nothing', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`);
    const list = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));
    expect(refusal({ mappings: deep })).toBe('illegal_argument_exception: mappings are nested too deeply');
    expect(refusal({ settings: deep })).toContain('must not be nested deeper than 20 levels');
    expect(refusal({ settings: { analysis: { x: list } } })).toContain('must be a list of plain values');
  });

  it('with a wrong name is refused before anything else', () => {
    expect(refusal({ foo: 1 }, 'Logs')).toBe(
      'invalid_index_name_exception: Invalid index name [Logs], must be lowercase',
    );
  });
});
