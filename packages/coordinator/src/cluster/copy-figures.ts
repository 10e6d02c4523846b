// Documents and bytes of every serving copy, asked of the nodes that hold them; for `_stats` and `_cat`.
import type { CopyStatsAnswer, IndexMetadata } from '@weir/shared';
import type { ReadShards } from '../documents/read-shards.ts';
import { copiesOf, type IsLive, type ShardCopy } from './shard-copies.ts';

/** A copy with its figures; undefined where it does not serve or its node did not answer. */
export type MeasuredCopy = { readonly copy: ShardCopy; readonly figures: CopyStatsAnswer | undefined };

export type Figures = { readonly docs: number; readonly deleted: number; readonly storeBytes: number };

/** All copies of the indices, in order. */
export function measureCopies(
  indices: readonly IndexMetadata[],
  isLive: IsLive,
  reads: ReadShards,
): Promise<readonly MeasuredCopy[]> {
  const copies = indices.flatMap((index) => copiesOf(index, isLive));
  return Promise.all(
    copies.map(async (copy) => {
      const { index, shard, assigned } = copy;
      if (assigned === undefined) return { copy, figures: undefined };
      const figures = await reads.copyStats({ index, shard }, assigned).catch(() => undefined);
      return { copy, figures };
    }),
  );
}

/** Sum of the copies that answered. */
export function sumFigures(copies: readonly MeasuredCopy[]): Figures {
  const sum = { docs: 0, deleted: 0, storeBytes: 0 };
  for (const { figures } of copies) {
    sum.docs += figures?.docs ?? 0;
    sum.deleted += figures?.deleted ?? 0;
    sum.storeBytes += figures?.store_bytes ?? 0;
  }
  return sum;
}

/** The copies of one index. */
export function ofIndex(copies: readonly MeasuredCopy[], index: IndexMetadata): readonly MeasuredCopy[] {
  return copies.filter(({ copy }) => copy.index.uuid === index.uuid);
}

export function primariesOf(copies: readonly MeasuredCopy[]): readonly MeasuredCopy[] {
  return copies.filter(({ copy }) => copy.primary);
}
