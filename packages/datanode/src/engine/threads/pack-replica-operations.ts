// A replica's operations as few large pieces, for the same reason as a primary's.
import type { ReplicaOperation } from '@weir/shared';
import { type PackedOperations, packSources, unpackSources } from './pack-operations.ts';

export type PackedReplicaOperations = Pick<PackedOperations, 'ids' | 'lengths' | 'sources'> & {
  /** Positions of deletes. */
  readonly deletes: readonly number[];
  readonly versions: Float64Array;
  readonly seqNos: Float64Array;
  readonly primaryTerms: Float64Array;
  readonly routings: readonly (readonly [number, string])[];
};

export function packReplicaOperations(operations: readonly ReplicaOperation[]): PackedReplicaOperations {
  return {
    ids: operations.map(({ id }) => id),
    ...packSources(operations),
    deletes: operations.flatMap(({ kind }, at) => (kind === 'delete' ? [at] : [])),
    versions: Float64Array.from(operations, ({ version }) => version),
    seqNos: Float64Array.from(operations, ({ seqNo }) => seqNo),
    primaryTerms: Float64Array.from(operations, ({ primaryTerm }) => primaryTerm),
    routings: operations.flatMap(({ routing }, at) =>
      routing === undefined ? [] : [[at, routing] as const],
    ),
  };
}

export function unpackReplicaOperations(packed: PackedReplicaOperations): readonly ReplicaOperation[] {
  const deletes = new Set(packed.deletes);
  const routings = new Map(packed.routings);
  const sources = unpackSources(packed);
  return packed.ids.map((id, at) => ({
    kind: deletes.has(at) ? 'delete' : 'index',
    id,
    routing: routings.get(at),
    source: sources[at] ?? Buffer.alloc(0),
    version: packed.versions[at] ?? 0,
    seqNo: packed.seqNos[at] ?? 0,
    primaryTerm: packed.primaryTerms[at] ?? 0,
  }));
}
