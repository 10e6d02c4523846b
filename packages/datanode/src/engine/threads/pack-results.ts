// A primary's results on their way back, as few large pieces, and what the replicas have to apply, made from them and the request.
import type { ItemFailure, ItemResult, ItemSuccess, Operation, ReplicaOperation } from '@weir/shared';
import type { PrimaryOutcome } from '../engine.ts';
import { CREATED, DELETED, NOOP, NOT_FOUND, success, UPDATED } from '../store/item-results.ts';
import type { AppliedOperation } from '../store/write-document.ts';

export type PackedResults = {
  /** Positions in OUTCOMES; FAILED for a failure. */
  readonly outcomes: Uint8Array;
  readonly versions: Float64Array;
  readonly seqNos: Float64Array;
  readonly primaryTerms: Float64Array;
  readonly failures: readonly (readonly [number, ItemFailure])[];
  /** `get` of updates that asked for it, as JSON: a message cannot carry every depth that JSON can. */
  readonly shown: readonly (readonly [number, string])[];
  /** Sources and routings that updates made or found as they wanted them. */
  readonly stored: readonly (readonly [
    number,
    { readonly source: Uint8Array; readonly routing: string | undefined },
  ])[];
};

const OUTCOMES = [CREATED, UPDATED, DELETED, NOT_FOUND, NOOP];
const NAMES = OUTCOMES.map(({ result }) => result);
const FAILED = 255;

export function packResults(applied: readonly AppliedOperation[]): PackedResults {
  const results = applied.map(({ result }) => result);
  return {
    outcomes: Uint8Array.from(results, (result) => (result.ok ? NAMES.indexOf(result.result) : FAILED)),
    versions: Float64Array.from(results, (result) => (result.ok ? result.version : 0)),
    seqNos: Float64Array.from(results, (result) => (result.ok ? result.seqNo : 0)),
    primaryTerms: Float64Array.from(results, (result) => (result.ok ? result.primaryTerm : 0)),
    failures: results.flatMap((result, at) => (result.ok ? [] : [[at, result] as const])),
    shown: results.flatMap((result, at) =>
      result.ok && result.get !== undefined ? [[at, JSON.stringify(result.get)] as const] : [],
    ),
    stored: applied.flatMap(({ stored }, at) => (stored === undefined ? [] : [[at, stored] as const])),
  };
}

/** The outcome as the port gives it, for the operations that were sent. */
export function unpackResults(operations: readonly Operation[], packed: PackedResults): PrimaryOutcome {
  const failures = new Map(packed.failures);
  const shown = new Map(packed.shown);
  const stored = new Map(packed.stored);
  const results: ItemResult[] = [];
  const replicaOperations: ReplicaOperation[] = [];
  operations.forEach((operation, at) => {
    const result = failures.get(at) ?? successAt(packed, at, shown.get(at));
    results.push(result);
    if (!result.ok) return;
    const { version, seqNo, primaryTerm } = result;
    const content = contentOf(operation, stored.get(at));
    replicaOperations.push({ id: operation.id, ...content, version, seqNo, primaryTerm });
  });
  return { results, replicaOperations };
}

function successAt(packed: PackedResults, at: number, get: string | undefined): ItemSuccess {
  const result = success(OUTCOMES[packed.outcomes[at] ?? FAILED] ?? NOOP, {
    version: packed.versions[at] ?? 0,
    seqNo: packed.seqNos[at] ?? 0,
    primaryTerm: packed.primaryTerms[at] ?? 0,
  });
  return get === undefined ? result : { ...result, get: JSON.parse(get) };
}

function contentOf(
  operation: Operation,
  stored: { readonly source: Uint8Array; readonly routing: string | undefined } | undefined,
): Pick<ReplicaOperation, 'kind' | 'source' | 'routing'> {
  if (operation.kind === 'delete') return { kind: 'delete', source: EMPTY, routing: operation.routing };
  if (stored === undefined) return { kind: 'index', source: operation.source, routing: operation.routing };
  return { kind: 'index', source: asBuffer(stored.source), routing: stored.routing };
}

const EMPTY = Buffer.alloc(0);

/** A message turns each Buffer into a plain Uint8Array; this gives it its methods back without a copy. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
