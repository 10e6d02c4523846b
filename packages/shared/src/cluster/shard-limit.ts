// Has the cluster room for the shards of one more index? Each costs memory and files whether it is used or not, and clients make indices by writing.
import { WeirError } from '../ops/errors.ts';
import type { IndexMetadata } from './index-metadata.ts';

type Shards = Pick<IndexMetadata, 'number_of_shards' | 'number_of_replicas'>;

/** Throws OpenSearch's error where `index` would bring the cluster past its limit; as there, copies without a node count too. */
export function checkShardLimit(
  index: Shards,
  others: readonly Shards[],
  nodeCount: number,
  maxPerNode: number,
): void {
  const added = copiesOf(index);
  const open = others.reduce((sum, other) => sum + copiesOf(other), 0);
  const most = nodeCount * maxPerNode;
  if (open + added <= most) return;
  throw new WeirError(
    'shard_limit',
    `Validation Failed: 1: this action would add [${added}] shards, but this cluster currently has [${open}]/[${most}] maximum normal shards open;`,
  );
}

function copiesOf({ number_of_shards, number_of_replicas }: Shards): number {
  return number_of_shards * (1 + number_of_replicas);
}
