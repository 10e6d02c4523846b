import { describe, expect, it } from '@jest/globals';
import { mergeSettings, mixedKeys, ownerOf } from './settings-merge.ts';

describe('the owner of settings', () => {
  it.each([
    [{ persistent: { 'weir.admission.mode': 'disabled' } }, 'weir'],
    [{ persistent: { weir: { admission: { mode: 'disabled' } } }, transient: { 'weir.*': null } }, 'weir'],
    [{ transient: { 'cluster.max_shards_per_node': 1000 } }, 'cluster'],
    [{ transient: { cluster: { routing: {} } }, persistent: {} }, 'cluster'],
    [{ transient: { '*': null } }, 'cluster'],
    [{ transient: { weird: 1 } }, 'cluster'],
    [{ persistent: { 'weir.admission.mode': 'x' }, transient: { 'cluster.x': 1 } }, 'both'],
    [{ persistent: { weir: {}, cluster: {} } }, 'both'],
    [{}, 'cluster'],
    [{ persistent: 5, other: { 'weir.x': 1 } }, 'weir'],
    [[], 'cluster'],
    [undefined, 'cluster'],
  ])('of %j is %s', (body, owner) => {
    expect(ownerOf(body)).toBe(owner);
  });

  it('is told by one key of each where there are two', () => {
    expect(mixedKeys({ persistent: { a: 1, 'weir.x': 2 } })).toEqual(['weir.x', 'a']);
  });
});

describe('settings of both', () => {
  it("stand side by side in the scopes the cluster shows; of Weir's only those that are its own", () => {
    const theirs = { persistent: { cluster: { a: '1' } }, transient: {} };
    const ours = {
      persistent: { weir: { admission: { mode: 'disabled' } } },
      transient: { 'weir.x': '1' },
      defaults: { action: { auto_create_index: 'true' }, weir: {} },
    };
    expect(mergeSettings(theirs, ours)).toEqual({
      persistent: { cluster: { a: '1' }, weir: { admission: { mode: 'disabled' } } },
      transient: { 'weir.x': '1' },
    });
    expect(mergeSettings({ ...theirs, defaults: { action: { b: '2' } } }, ours)['defaults']).toEqual({
      action: { b: '2' },
      weir: {},
    });
  });
});
