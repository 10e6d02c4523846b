import { describe, expect, it } from '@jest/globals';
import { type IndexMetadata, WeirError } from '@weir/shared';
import { ManualClock, settle } from '@weir/shared/testing';
import { InSyncCopies } from './in-sync-copies.ts';

const copies = ['a', 'b'].map((name) => ({ node: `node-${name}`, allocation_id: name }));
const [first, second] = copies as [(typeof copies)[0], (typeof copies)[0]];
const target = { index: 'logs', indexUuid: 'u', shard: 0, primaryTerm: 1 };

function scene(term = 1) {
  const clock = new ManualClock();
  const state = { down: false, changes: 0, release: (): void => {} };
  let index: IndexMetadata = {
    ...{ name: 'logs', uuid: 'u', created_wall_ms: 0, number_of_shards: 1, number_of_replicas: 2 },
    ...{ routing_num_shards: 1, routing_partition_size: 1, settings: {}, mappings: {} },
    shards: [{ primary_term: term, primary: { node: 'me', allocation_id: 'p' }, replicas: copies, lost: [] }],
  };
  const store = {
    async change(_name: string, next: (current: IndexMetadata) => IndexMetadata) {
      state.changes += 1;
      await Promise.resolve();
      if (state.down) throw new WeirError('unavailable', 'the bus is down');
      index = next(index);
      return index;
    },
  };
  const told: object[] = [];
  const inSync = new InSyncCopies(store, 'me', clock, { warn: (fields) => told.push(fields) });
  return { inSync, told, state, clock, shard: () => index.shards[0] };
}

describe('copies that missed a write', () => {
  it('leave the in-sync set and are kept as lost; the others stay', async () => {
    const { inSync, told, shard } = scene();
    expect(await inSync.drop(target, first)).toBe('dropped');
    expect(shard()).toMatchObject({ replicas: [second], lost: [first] });
    expect(inSync.lacksWrite(first)).toBe(false);
    expect(await inSync.drop(target, first)).toBe('dropped');
    expect(shard()?.lost).toEqual([first]);
    expect(told).toEqual([{ index: 'logs', shard: 0, ...first }]);
  });

  it('are taken out once, however many writes lose them at the same time', async () => {
    const { inSync, state } = scene();
    await Promise.all(Array.from({ length: 100 }, () => inSync.drop(target, first)));
    expect(state.changes).toBe(1);
  });

  it('are told apart from a primary that is no longer one', async () => {
    const { inSync, shard } = scene(2);
    expect(await inSync.drop(target, first)).toBe('stale');
    expect(shard()?.replicas).toEqual(copies);
    expect(inSync.lacksWrite(first)).toBe(false);
  });

  it('are remembered while the metadata cannot be changed, and are out soon after it can', async () => {
    const { inSync, state, clock, shard } = scene();
    state.down = true;
    await expect(inSync.drop(target, first)).rejects.toMatchObject({ code: 'unavailable' });
    expect([inSync.lacksWrite(first), inSync.lacksWrite(second)]).toEqual([true, false]);
    clock.advance(1_000);
    await settle();
    state.down = false;
    clock.advance(1_000);
    await settle();
    expect(shard()?.replicas).toEqual([second]);
    expect(inSync.lacksWrite(first)).toBe(false);
  });

  it('are no longer tried once the node stops', async () => {
    const { inSync, state, clock } = scene();
    state.down = true;
    await inSync.drop(target, first).catch(() => undefined);
    inSync.stop();
    clock.advance(5_000);
    await settle();
    expect(state.changes).toBe(1);
  });
});
