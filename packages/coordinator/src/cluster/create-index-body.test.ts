import { describe, expect, it } from '@jest/globals';
import { sampleIndex } from '../testing/sample-index.ts';
import { parseCreateIndex } from './create-index-body.ts';
import { indexSettingsBody } from './index-body.ts';

describe('the body of PUT /{index}', () => {
  it.each([
    { settings: { number_of_shards: 3, number_of_replicas: '1' } },
    { settings: { index: { number_of_shards: '3', number_of_replicas: 1 } } },
    { settings: { 'index.number_of_shards': 3, index: { number_of_replicas: 1 } } },
  ])('means the same nested, dotted or without its prefix: %j', (body) => {
    expect(parseCreateIndex('a', body)).toMatchObject({
      numberOfShards: 3,
      numberOfReplicas: 1,
      settings: {},
    });
  });

  it('keeps other settings and the mappings to show them', () => {
    const mappings = { properties: { a: { type: 'keyword' } } };
    const index = parseCreateIndex('a', { settings: { refresh_interval: '30s' }, mappings, aliases: {} });
    expect(index.settings).toEqual({ 'index.refresh_interval': '30s' });
    expect(index.mappings).toBe(mappings);
  });

  it.each([
    [{ settings: { number_of_shards: 0 } }, '[0] for setting [index.number_of_shards]'],
    [{ settings: { number_of_shards: 2000 } }, 'from 1 to 1024'],
    [{ settings: { number_of_replicas: 'two' } }, '[two] for setting [index.number_of_replicas]'],
    [{ settings: { uuid: 'x' } }, 'private index setting [index.uuid]'],
    [{ settings: [] }, 'key [settings] must be an object'],
    [{ alias: {} }, 'unknown key [alias] for create index'],
    [{ aliases: { b: {} } }, 'unknown key [aliases] for create index'],
  ])('names what it does not allow: %j', (body, message) => {
    expect(() => parseCreateIndex('a', body as never)).toThrow(message);
  });
});

describe('index settings', () => {
  it('are shown nested with values as text, or flat', () => {
    const index = { ...sampleIndex('a'), settings: { 'index.a': '1', 'index.a.b': '2' } };
    expect(indexSettingsBody(index, false)).toEqual({
      index: {
        a: '1',
        'a.b': '2',
        creation_date: '1700000000000',
        number_of_replicas: '0',
        number_of_shards: '1',
        provided_name: 'a',
        uuid: 'uuid-of-a',
      },
    });
    expect(indexSettingsBody(index, true)).toMatchObject({ 'index.number_of_shards': '1', 'index.a.b': '2' });
  });
});
