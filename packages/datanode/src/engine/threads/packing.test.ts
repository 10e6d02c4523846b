import { describe, expect, it } from '@jest/globals';
import type { Operation, ReplicaOperation } from '@weir/shared';
import fc from 'fast-check';
import { operation } from '../../testing/copy-fixtures.ts';
import { packOperations, unpackOperations } from './pack-operations.ts';
import { packReplicaOperations, unpackReplicaOperations } from './pack-replica-operations.ts';
import { packResults, unpackResults } from './pack-results.ts';

/** What a message between threads makes of a value. */
function sent<T>(value: T): T {
  return structuredClone(value);
}

const optionalNumber = fc.option(fc.nat(), { nil: undefined });
const optionalText = fc.option(fc.string(), { nil: undefined });
const sources = fc.string().map((text) => Buffer.from(text));
const operations: fc.Arbitrary<Operation> = fc.record({
  kind: fc.constantFrom('index', 'create', 'update', 'delete'),
  id: fc.string(),
  autoId: fc.constant(false),
  routing: optionalText,
  source: sources,
  ifSeqNo: optionalNumber,
  ifPrimaryTerm: fc.constant(undefined),
  version: optionalNumber,
  versionType: fc.constantFrom('internal', 'external', 'external_gte'),
  retryOnConflict: fc.constant(0),
  returnSource: fc.boolean(),
});
const replicaOperations: fc.Arbitrary<ReplicaOperation> = fc.record({
  kind: fc.constantFrom('index', 'delete'),
  id: fc.string(),
  routing: optionalText,
  source: sources,
  version: fc.maxSafeNat(),
  seqNo: fc.maxSafeNat(),
  primaryTerm: fc.nat(),
});

describe('packing', () => {
  it('brings operations over as they were', () => {
    fc.assert(
      fc.property(fc.array(operations), (all) => {
        expect(unpackOperations(sent(packOperations(all)))).toEqual(all);
      }),
    );
  });

  it('brings conditions on the primary term over', () => {
    const one = operation('index', 'a', {}, { ifSeqNo: 0, ifPrimaryTerm: 2 });
    expect(unpackOperations(sent(packOperations([one])))).toEqual([one]);
  });

  it('brings a replica’s operations over as they were', () => {
    fc.assert(
      fc.property(fc.array(replicaOperations), (all) => {
        expect(unpackReplicaOperations(sent(packReplicaOperations(all)))).toEqual(all);
      }),
    );
  });

  it('brings results back, and makes of them what replicas apply', () => {
    const shards = { total: 1, successful: 1, failed: 0 };
    const ok = { ok: true, version: 3, seqNo: 2 ** 40, primaryTerm: 5, shards } as const;
    const failure = { ok: false, status: 409, error: { type: 'x', reason: 'y' } } as const;
    const sentOperations = [
      operation('index', 'a', '{"a":1}', { routing: 'r' }),
      operation('create', 'b'),
      operation('update', 'c'),
      operation('update', 'd'),
      operation('delete', 'e'),
    ];
    const merged = Buffer.from('{"merged":true}');
    const outcome = unpackResults(
      sentOperations,
      sent(
        packResults([
          { result: { ...ok, status: 201, result: 'created' } },
          { result: failure },
          {
            result: { ...ok, status: 200, result: 'updated', get: { found: true, _source: { deep: [1] } } },
            stored: { source: merged, routing: 'kept' },
          },
          { result: { ...ok, status: 200, result: 'noop' }, stored: { source: merged, routing: undefined } },
          { result: { ...ok, status: 404, result: 'not_found' } },
        ]),
      ),
    );
    expect(outcome.results).toEqual([
      { ...ok, status: 201, result: 'created' },
      failure,
      { ...ok, status: 200, result: 'updated', get: { found: true, _source: { deep: [1] } } },
      { ...ok, status: 200, result: 'noop' },
      { ...ok, status: 404, result: 'not_found' },
    ]);
    const told = { version: 3, seqNo: 2 ** 40, primaryTerm: 5 };
    expect(outcome.replicaOperations).toEqual([
      { kind: 'index', id: 'a', routing: 'r', source: Buffer.from('{"a":1}'), ...told },
      { kind: 'index', id: 'c', routing: 'kept', source: merged, ...told },
      { kind: 'index', id: 'd', routing: undefined, source: merged, ...told },
      { kind: 'delete', id: 'e', routing: undefined, source: Buffer.alloc(0), ...told },
    ]);
  });
});
