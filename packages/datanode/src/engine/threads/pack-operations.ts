// A primary's operations as few large pieces: between threads a thousand small objects cost more than a megabyte of bytes.
import type { Operation, OperationKind } from '@weir/shared';

type Rare = Partial<Pick<Operation, 'routing' | 'ifSeqNo' | 'ifPrimaryTerm' | 'version' | 'versionType'>>;

export type PackedOperations = {
  readonly ids: readonly string[];
  /** Positions in KINDS. */
  readonly kinds: Uint8Array;
  readonly lengths: Uint32Array;
  /** All sources, one after the other; handed over, not copied. */
  readonly sources: ArrayBuffer;
  /** What few operations have, by position. */
  readonly rare: readonly (readonly [number, Rare])[];
  readonly returnSource: readonly number[];
};

const KINDS: readonly OperationKind[] = ['index', 'create', 'update', 'delete'];

export function packOperations(operations: readonly Operation[]): PackedOperations {
  const kinds = new Uint8Array(operations.length);
  const rare: [number, Rare][] = [];
  const returnSource: number[] = [];
  operations.forEach((operation, at) => {
    kinds[at] = KINDS.indexOf(operation.kind);
    if (hasRare(operation)) rare.push([at, rareOf(operation)]);
    if (operation.returnSource) returnSource.push(at);
  });
  const ids = operations.map(({ id }) => id);
  return { ids, kinds, ...packSources(operations), rare, returnSource };
}

export function unpackOperations(packed: PackedOperations): readonly Operation[] {
  const rare = new Map(packed.rare);
  const returnSource = new Set(packed.returnSource);
  const sources = unpackSources(packed);
  return packed.ids.map((id, at) => ({
    kind: KINDS[packed.kinds[at] ?? 0] ?? 'index',
    id,
    autoId: false,
    routing: undefined,
    source: sources[at] ?? EMPTY,
    ifSeqNo: undefined,
    ifPrimaryTerm: undefined,
    version: undefined,
    versionType: 'internal',
    retryOnConflict: 0,
    returnSource: returnSource.has(at),
    ...rare.get(at),
  }));
}

const EMPTY = Buffer.alloc(0);

/** Copies all sources into one buffer of their own: the callers' goes on to the replicas and cannot be handed over. */
export function packSources(
  operations: readonly { readonly source: Buffer }[],
): Pick<PackedOperations, 'lengths' | 'sources'> {
  const lengths = Uint32Array.from(operations, ({ source }) => source.length);
  const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  for (const { source } of operations) {
    bytes.set(source, at);
    at += source.length;
  }
  return { lengths, sources: bytes.buffer };
}

export function unpackSources({
  lengths,
  sources,
}: Pick<PackedOperations, 'lengths' | 'sources'>): readonly Buffer[] {
  let at = 0;
  return Array.from(lengths, (length) => {
    const source = Buffer.from(sources, at, length);
    at += length;
    return source;
  });
}

function hasRare({ routing, ifSeqNo, version, versionType }: Operation): boolean {
  return (
    routing !== undefined || ifSeqNo !== undefined || version !== undefined || versionType !== 'internal'
  );
}

function rareOf({ routing, ifSeqNo, ifPrimaryTerm, version, versionType }: Operation): Rare {
  return {
    versionType,
    ...(routing === undefined ? {} : { routing }),
    ...(ifSeqNo === undefined ? {} : { ifSeqNo }),
    ...(ifPrimaryTerm === undefined ? {} : { ifPrimaryTerm }),
    ...(version === undefined ? {} : { version }),
  };
}
