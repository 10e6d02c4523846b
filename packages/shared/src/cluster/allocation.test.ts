import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { allocateShards } from './allocation.ts';
import type { IndexMetadata, ShardMetadata } from './index-metadata.ts';

let allocations = 0;
const allocate = (
  shards: number,
  replicas: number,
  nodeIds: readonly string[],
  indices: IndexMetadata[] = [],
) =>
  allocateShards({
    numberOfShards: shards,
    numberOfReplicas: replicas,
    nodeIds,
    indices,
    newAllocationId: () => `allocation-${allocations++}`,
  });

const index = (name: string, shards: ShardMetadata[]): IndexMetadata => ({
  name,
  uuid: name,
  created_wall_ms: 0,
  number_of_shards: shards.length,
  number_of_replicas: 1,
  routing_num_shards: 1024,
  routing_partition_size: 1,
  settings: {},
  mappings: {},
  shards,
});

const copiesOf = ({ primary, replicas }: ShardMetadata): string[] =>
  [...(primary === null ? [] : [primary]), ...replicas].map(({ node }) => node);
const count = (ids: readonly string[], id: string): number => ids.filter((other) => other === id).length;
const spread = (nodeIds: readonly string[], held: readonly string[]): number => {
  const counts = nodeIds.map((id) => count(held, id));
  return Math.max(...counts) - Math.min(...counts);
};

const sizes = fc.record({
  shards: fc.integer({ min: 1, max: 40 }),
  replicas: fc.integer({ min: 0, max: 4 }),
  nodes: fc.integer({ min: 1, max: 9 }),
});
const names = (nodes: number): string[] => Array.from({ length: nodes }, (_, number) => `dn${number + 1}`);

describe('allocation', () => {
  it('C039: gives three primaries and their replicas to three nodes, two copies each', () => {
    const shards = allocate(3, 1, ['dn1', 'dn2', 'dn3']);
    expect(shards.map(copiesOf)).toEqual([
      ['dn1', 'dn2'],
      ['dn2', 'dn3'],
      ['dn3', 'dn1'],
    ]);
  });

  it('never puts a copy beside its primary or another copy of its shard', () => {
    fc.assert(
      fc.property(sizes, ({ shards, replicas, nodes }) =>
        allocate(shards, replicas, names(nodes)).every((shard) => {
          const ids = copiesOf(shard);
          return new Set(ids).size === ids.length;
        }),
      ),
    );
  });

  it('assigns every copy that a node is left for', () => {
    fc.assert(
      fc.property(sizes, ({ shards, replicas, nodes }) =>
        allocate(shards, replicas, names(nodes)).every(
          (shard) => copiesOf(shard).length === Math.min(replicas + 1, nodes),
        ),
      ),
    );
  });

  it('spreads primaries to within one of each other, and all copies too', () => {
    fc.assert(
      fc.property(sizes, ({ shards, replicas, nodes }) => {
        const table = allocate(shards, replicas, names(nodes));
        const primaries = table.flatMap(({ primary }) => (primary === null ? [] : [primary.node]));
        return spread(names(nodes), primaries) <= 1 && spread(names(nodes), table.flatMap(copiesOf)) <= 1;
      }),
    );
  });

  it('puts one-shard indices on the nodes that hold least', () => {
    const nodes = ['dn1', 'dn2', 'dn3'];
    const indices: IndexMetadata[] = [];
    for (let number = 0; number < 30; number += 1)
      indices.push(index(`i${number}`, allocate(1, 1, nodes, indices)));
    const primaries = indices.flatMap(({ shards }) => shards.flatMap(({ primary }) => primary?.node ?? []));
    const copies = indices.flatMap(({ shards }) => shards.flatMap(copiesOf));
    expect([spread(nodes, primaries), spread(nodes, copies)]).toEqual([0, 0]);
  });

  it('leaves replicas unassigned where nodes lack, and everything without a node', () => {
    expect(allocate(1, 1, ['dn1'])).toMatchObject([{ primary: { node: 'dn1' }, replicas: [] }]);
    expect(allocate(2, 1, [])).toMatchObject([
      { primary: null, replicas: [] },
      { primary: null, replicas: [] },
    ]);
  });

  it('gives every copy an allocation of its own and every shard its first term', () => {
    const shards = allocate(5, 2, names(3));
    const ids = shards.flatMap(({ primary, replicas }) =>
      [primary, ...replicas].map((copy) => copy?.allocation_id),
    );
    expect(new Set(ids).size).toBe(15);
    expect(shards.every(({ primary_term, lost }) => primary_term === 1 && lost.length === 0)).toBe(true);
  });

  it('does not count what nodes hold that are not there', () => {
    const gone = index('old', allocate(4, 0, ['gone']));
    expect(allocate(1, 0, ['dn1'], [gone])[0]?.primary?.node).toBe('dn1');
  });
});
