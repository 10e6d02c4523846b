// Rows of `_cat/shards` and `_cat/indices`, from the measured copies of the indices.
import type { IndexMetadata } from '@weir/shared';
import type { CatRow } from './cat-table.ts';
import type { ClusterFacts } from './cluster-facts.ts';
import { summarize } from './cluster-health.ts';
import { type MeasuredCopy, ofIndex, primariesOf, sumFigures } from './copy-figures.ts';

/** One row per copy. */
export function catShards(copies: readonly MeasuredCopy[], facts: ClusterFacts): readonly CatRow[] {
  return copies.map(({ copy, figures }) => {
    const node = copy.assigned === undefined ? undefined : facts.topology.node(copy.assigned.node);
    return {
      index: copy.index.name,
      shard: copy.shard,
      prirep: copy.primary ? 'p' : 'r',
      state: copy.assigned === undefined ? 'UNASSIGNED' : 'STARTED',
      docs: figures?.docs,
      store: figures === undefined ? undefined : { bytes: figures.store_bytes },
      ip: node === undefined ? undefined : new URL(node.address).hostname,
      node: node?.name,
      id: copy.assigned?.node,
      'unassigned.reason': copy.unassignedReason,
    };
  });
}

/** One row per index; its documents are those of its primaries, its size that of all copies. */
export function catIndices(copies: readonly MeasuredCopy[]): readonly CatRow[] {
  const indices = new Map<string, IndexMetadata>(copies.map(({ copy }) => [copy.index.uuid, copy.index]));
  return [...indices.values()].map((index) => {
    const own = ofIndex(copies, index);
    const primaries = sumFigures(primariesOf(own));
    return {
      health: summarize(own.map(({ copy }) => copy)).status,
      status: 'open',
      index: index.name,
      uuid: index.uuid,
      pri: index.number_of_shards,
      rep: index.number_of_replicas,
      'docs.count': primaries.docs,
      'docs.deleted': primaries.deleted,
      'store.size': { bytes: sumFigures(own).storeBytes },
      'pri.store.size': { bytes: primaries.storeBytes },
      'creation.date': Math.round(index.created_wall_ms),
    };
  });
}
