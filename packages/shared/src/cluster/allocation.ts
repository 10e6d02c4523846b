// Where the copies of a new index go: evenly over the nodes that are there, a replica never beside its primary.
import type { CopyMetadata, IndexMetadata, ShardMetadata } from './index-metadata.ts';

export type AllocationRequest = {
  readonly numberOfShards: number;
  readonly numberOfReplicas: number;
  /** Ids of the live data nodes. */
  readonly nodeIds: readonly string[];
  /** All indices there are: what the nodes hold already. */
  readonly indices: Iterable<IndexMetadata>;
  readonly newAllocationId: () => string;
};

type NodeLoad = {
  readonly id: string;
  /** Of all indices. */
  primaries: number;
  copies: number;
  /** Of the new index: spread first, so that no node carries an index alone. */
  ownPrimaries: number;
  ownCopies: number;
};

/** The shard table of a new index. Where nodes lack, replicas stay unassigned; without any node, primaries too. */
export function allocateShards(request: AllocationRequest): ShardMetadata[] {
  const loads = loadsOf(request.nodeIds, request.indices);
  const copyOn = (load: NodeLoad): CopyMetadata => {
    load.copies += 1;
    load.ownCopies += 1;
    return { node: load.id, allocation_id: request.newAllocationId() };
  };
  // All primaries first: a replica then knows what its node has to carry anyway.
  const primaries = Array.from({ length: request.numberOfShards }, () => {
    const load = leastBy(loads, (node) => [node.ownPrimaries, node.primaries, node.copies]);
    if (load === undefined) return null;
    load.primaries += 1;
    load.ownPrimaries += 1;
    return copyOn(load);
  });
  return primaries.map((primary, shard) => {
    const taken = new Set(primary === null ? [] : [primary.node]);
    const replicas: CopyMetadata[] = [];
    for (let replica = 0; replica < request.numberOfReplicas; replica += 1) {
      const free = rotated(loads, shard + 1).filter(({ id }) => !taken.has(id));
      const load = leastBy(free, (node) => [node.ownCopies, node.copies]);
      if (load === undefined) break;
      taken.add(load.id);
      replicas.push(copyOn(load));
    }
    return { primary_term: 1, primary, replicas, lost: [] };
  });
}

function loadsOf(nodeIds: readonly string[], indices: Iterable<IndexMetadata>): readonly NodeLoad[] {
  const held = [...indices].flatMap(({ shards }) => shards);
  const primaries = countByNode(held.map(({ primary }) => primary));
  const replicas = countByNode(held.flatMap((shard) => shard.replicas));
  return [...nodeIds].sort().map((id) => {
    const own = primaries.get(id) ?? 0;
    return { id, primaries: own, copies: own + (replicas.get(id) ?? 0), ownPrimaries: 0, ownCopies: 0 };
  });
}

function countByNode(copies: readonly (CopyMetadata | null)[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const copy of copies) if (copy !== null) counts.set(copy.node, (counts.get(copy.node) ?? 0) + 1);
  return counts;
}

/** The first of the nodes with the smallest key, compared from left to right. */
function leastBy(
  loads: readonly NodeLoad[],
  key: (load: NodeLoad) => readonly number[],
): NodeLoad | undefined {
  let best: NodeLoad | undefined;
  for (const load of loads) if (best === undefined || isLess(key(load), key(best))) best = load;
  return best;
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? 0;
    if (value !== other) return value < other;
  }
  return false;
}

function rotated<T>(list: readonly T[], by: number): readonly T[] {
  const start = list.length === 0 ? 0 : by % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}
