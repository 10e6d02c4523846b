import { describe, expect, it } from '@jest/globals';
import { sampleIndex } from '../testing/sample-index.ts';
import { indexSettingsBody } from './index-body.ts';

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
