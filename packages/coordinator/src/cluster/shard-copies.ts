// Every copy a shard has or should have, with what can be said of it: where it is and whether it serves.
import type { CopyMetadata, IndexMetadata, ShardMetadata } from '@weir/shared';

/** Whether a node is there, by id. */
export type IsLive = (nodeId: string) => boolean;

export type ShardCopy = {
  readonly index: IndexMetadata;
  readonly shard: number;
  readonly primary: boolean;
  /** Where the copy serves; undefined while it is unassigned. */
  readonly assigned: CopyMetadata | undefined;
  /** Why it does not serve. */
  readonly unassignedReason: 'INDEX_CREATED' | 'NODE_LEFT' | undefined;
};

/** All copies of an index in order of shards, the primary first. */
export function copiesOf(index: IndexMetadata, isLive: IsLive): readonly ShardCopy[] {
  return index.shards.flatMap((shard, number) => copiesOfShard(index, shard, number, isLive));
}

function copiesOfShard(
  index: IndexMetadata,
  shard: ShardMetadata,
  number: number,
  isLive: IsLive,
): readonly ShardCopy[] {
  const copy = (primary: boolean, at: CopyMetadata | null | undefined): ShardCopy => {
    const live = at !== null && at !== undefined && isLive(at.node);
    const left = at !== null && at !== undefined ? true : shard.lost.length > 0;
    return {
      index,
      shard: number,
      primary,
      assigned: live ? at : undefined,
      unassignedReason: live ? undefined : left ? 'NODE_LEFT' : 'INDEX_CREATED',
    };
  };
  const missing = Math.max(0, index.number_of_replicas - shard.replicas.length);
  return [
    copy(true, shard.primary),
    ...shard.replicas.map((replica) => copy(false, replica)),
    ...Array.from({ length: missing }, () => copy(false, undefined)),
  ];
}
