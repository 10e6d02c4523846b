import { describe, expect, it } from '@jest/globals';
import type { ItemResult, Operation, ReplicaOperation } from '@weir/shared';
import fc from 'fast-check';
import { operation, TestCopy } from '../../testing/copy-fixtures.ts';

type Known = { version: number; seqNo: number; value: number | undefined };

/** OpenSearch's rules once more, as simply as they can be said. */
class Model {
  readonly documents = new Map<string, Known>();
  #seqNo = -1;

  apply(one: Operation): string {
    const known = this.documents.get(one.id);
    const live = known?.value === undefined ? undefined : known;
    const refusal = refusalOf(one, known, live);
    if (refusal !== undefined) return refusal;
    const value = writtenValue(one);
    if (one.kind === 'update' && value === live?.value) return `noop ${live?.version} ${live?.seqNo}`;
    const version = one.version ?? (known?.version ?? 0) + 1;
    this.documents.set(one.id, { version, seqNo: ++this.#seqNo, value });
    const found = live === undefined ? 'new' : 'old';
    return `${one.kind === 'delete' ? 'delete' : 'write'} ${found} ${version} ${this.#seqNo}`;
  }
}

function refusalOf(one: Operation, known: Known | undefined, live: Known | undefined): string | undefined {
  if (one.kind === 'update' && live === undefined) return 'missing';
  if (one.kind === 'create' && live !== undefined) return 'conflict';
  if (one.ifSeqNo !== undefined && live?.seqNo !== one.ifSeqNo) return 'conflict';
  return known !== undefined && isOutdated(one, known.version) ? 'conflict' : undefined;
}

function isOutdated({ version = 0, versionType }: Operation, stored: number): boolean {
  if (versionType === 'external') return stored >= version;
  return versionType === 'external_gte' && stored > version;
}

function writtenValue(one: Operation): number | undefined {
  if (one.kind === 'delete') return undefined;
  const body = JSON.parse(one.source.toString()) as { v?: number; doc?: { v: number } };
  return body.doc?.v ?? body.v;
}

function described(result: ItemResult): string {
  if (!result.ok) return result.status === 409 ? 'conflict' : 'missing';
  const facts = `${result.version} ${result.seqNo}`;
  const words = {
    created: 'write new',
    updated: 'write old',
    deleted: 'delete old',
    not_found: 'delete new',
    noop: 'noop',
  };
  return `${words[result.result]} ${facts}`;
}

const ids = fc.constantFrom('a', 'b', 'c');
const values = fc.integer({ min: 0, max: 3 });
const conditions: fc.Arbitrary<Partial<Operation>> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  fc.record({ ifSeqNo: fc.nat(12), ifPrimaryTerm: fc.constant(1) }),
);
const versions: fc.Arbitrary<Partial<Operation>> = fc.record({
  version: fc.nat(12),
  versionType: fc.constantFrom('external', 'external_gte'),
});
const operations: fc.Arbitrary<Operation> = fc.oneof(
  fc
    .tuple(ids, values, fc.oneof(conditions, versions))
    .map(([id, v, given]) => operation('index', id, { v }, given)),
  fc.tuple(ids, fc.oneof(conditions, versions)).map(([id, given]) => operation('delete', id, '', given)),
  fc.tuple(ids, values).map(([id, v]) => operation('create', id, { v })),
  fc.tuple(ids, values, conditions).map(([id, v, given]) => operation('update', id, { doc: { v } }, given)),
);
const batches = fc.array(fc.array(operations, { minLength: 1, maxLength: 6 }), { maxLength: 8 });

describe('a copy', () => {
  it('answers every sequence of operations as the model does, however it is cut into requests', () => {
    fc.assert(
      fc.property(batches, (requests) => {
        const copy = new TestCopy();
        try {
          const model = new Model();
          for (const request of requests)
            expect(copy.write(request).results.map(described)).toEqual(
              request.map((one) => model.apply(one)),
            );
          for (const [id, { value }] of model.documents)
            expect(copy.source(id)).toBe(value === undefined ? undefined : JSON.stringify({ v: value }));
        } finally {
          copy.remove();
        }
      }),
      { numRuns: 60 },
    );
  });

  it('C037, C068: replicas end like the primary whatever the order and the parts in which they are told, some of it twice', () => {
    const orders = fc.record({
      requests: batches,
      order: fc.array(fc.nat(), { minLength: 60, maxLength: 60 }),
      size: fc.integer({ min: 1, max: 5 }),
      twice: fc.nat(),
    });
    fc.assert(
      fc.property(orders, ({ requests, order, size, twice }) => {
        const primary = new TestCopy();
        const replica = new TestCopy();
        try {
          const told = requests.flatMap((request) => primary.write(request).replicaOperations);
          const shuffled = [...told]
            .map((one, at) => [order[at % order.length] ?? 0, one] as const)
            .sort(([a], [b]) => a - b)
            .map(([, one]) => one);
          const again: readonly ReplicaOperation[] = told.slice(twice % (told.length + 1));
          const all = [...shuffled, ...again];
          for (let start = 0; start < all.length; start += size)
            replica.replicate(all.slice(start, start + size));
          expect(replica.state()).toEqual(primary.state());
        } finally {
          primary.remove();
          replica.remove();
        }
      }),
      { numRuns: 60 },
    );
  });

  it('takes of two operations with one sequence number that of the newer primary', () => {
    const copy = new TestCopy();
    const of = (primaryTerm: number, v: number): ReplicaOperation => ({
      ...{ kind: 'index', id: 'a', routing: undefined, source: Buffer.from(JSON.stringify({ v })) },
      ...{ version: 1, seqNo: 4, primaryTerm },
    });
    copy.replicate([of(1, 1)], 1);
    copy.replicate([of(2, 2)], 2);
    copy.replicate([of(1, 1)], 2);
    expect(copy.source('a')).toBe('{"v":2}');
    copy.remove();
  });
});
