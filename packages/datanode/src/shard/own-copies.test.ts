import { describe, expect, it } from '@jest/globals';
import { type IndexMetadata, InProcessBus, MetadataStore } from '@weir/shared';
import { ManualClock, seededRng } from '@weir/shared/testing';
import type { CopyRef, Engine } from '../engine/engine.ts';
import { OwnCopies } from './own-copies.ts';

function metadataOf(name: string, uuid: string): IndexMetadata {
  return {
    ...{ name, uuid, created_wall_ms: 0, number_of_shards: 1, number_of_replicas: 0 },
    ...{ routing_num_shards: 1, routing_partition_size: 1, settings: {}, mappings: {} },
    shards: [{ primary_term: 1, primary: { node: 'here', allocation_id: uuid }, replicas: [], lost: [] }],
  };
}

/** The copies on a disk in memory, kept as a real store on a bus of its own says. */
async function scene() {
  const clock = new ManualClock();
  const onDisk = new Map<string, CopyRef>();
  const warned: string[] = [];
  const log = { warn: (_fields: object, message: string) => void warned.push(message) };
  const engine = {
    openCopy: async ({ index, indexUuid, shard }) => void onDisk.set(indexUuid, { index, indexUuid, shard }),
    removeCopy: async ({ indexUuid }) => void onDisk.delete(indexUuid),
    listCopies: async () => [...onDisk.values()],
  } as Pick<Engine, 'openCopy' | 'removeCopy' | 'listCopies'> as Engine;
  const rng = seededRng(1);
  const store = new MetadataStore({ bus: new InProcessBus(rng), clock, timers: clock, rng, log });
  const copies = new OwnCopies('here', store, engine, log);
  copies.follow();
  await store.start();
  return { store, copies, onDisk, warned };
}

describe('the copies of a node', () => {
  it('lose their files when the deletion of their very index is heard of', async () => {
    const { store, copies, onDisk } = await scene();
    await store.create(metadataOf('logs', 'first'));
    await copies.settled();
    await store.delete('logs');
    await store.create(metadataOf('logs', 'second'));
    await copies.settled();
    expect([...onDisk.keys()]).toEqual(['second']);
  });

  it('I9: keep their files, with a warning, while another index merely has the name', async () => {
    const { store, copies, onDisk, warned } = await scene();
    onDisk.set('first', { index: 'logs', indexUuid: 'first', shard: 0 });
    await store.create(metadataOf('logs', 'second'));
    await copies.settled();
    expect([...onDisk.keys()]).toEqual(['first', 'second']);
    expect(warned).toEqual([expect.stringContaining('its deletion was not heard of')]);
  });
});
