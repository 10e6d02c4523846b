import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ItemResult, Operation } from '@weir/shared';
import { operation, TestCopy } from '../../testing/copy-fixtures.ts';

let copy: TestCopy;
beforeEach(() => {
  copy = new TestCopy();
});
afterEach(() => copy.remove());

/** Result, status and version of a success; the type of a failure. */
function brief(result: ItemResult): unknown {
  return result.ok ? [result.result, result.status, result.version] : result.error.type;
}
function write(...operations: readonly Operation[]): unknown[] {
  return copy.write(operations).results.map(brief);
}
function reasonOf(result: ItemResult): string {
  return result.ok ? '' : result.error.reason;
}

describe('CopyStore as primary', () => {
  it('creates, updates and deletes with versions and sequence numbers that rise', () => {
    const { results } = copy.write([
      operation('index', '1', { v: 1 }),
      operation('index', '1', { v: 2 }),
      operation('delete', '1'),
      operation('index', '1', { v: 3 }),
    ]);
    expect(results.map(brief)).toEqual([
      ['created', 201, 1],
      ['updated', 200, 2],
      ['deleted', 200, 3],
      ['created', 201, 4],
    ]);
    expect(results.map((result) => result.ok && result.seqNo)).toEqual([0, 1, 2, 3]);
    expect(copy.source('1')).toBe('{"v":3}');
  });

  it('C037: keeps the order of operations on one id', () => {
    expect(
      write(
        operation('index', '1', { v: 1 }),
        operation('index', '1', { v: 2 }),
        operation('delete', '2'),
        operation('index', '2', { v: 9 }),
      ),
    ).toEqual([
      ['created', 201, 1],
      ['updated', 200, 2],
      ['not_found', 404, 1],
      ['created', 201, 2],
    ]);
    expect([copy.source('1'), copy.source('2')]).toEqual(['{"v":2}', '{"v":9}']);
  });

  it('C022: a document that cannot be parsed fails alone, without a shard in its error', () => {
    const { results } = copy.write([
      operation('index', '1', '{"m":"tab\there"}'),
      operation('create', '2', '{"time":1,"time":2}'),
      operation('index', '3', '{"m":"ok"}'),
      operation('index', '4', '[1]'),
    ]);
    expect(results.map(brief)).toEqual([
      'mapper_parsing_exception',
      'mapper_parsing_exception',
      ['created', 201, 1],
      'mapper_parsing_exception',
    ]);
    expect(results[0]).toEqual({
      ok: false,
      status: 400,
      error: {
        type: 'mapper_parsing_exception',
        reason: 'failed to parse: control character 0x09 that is not escaped at byte 9',
        caused_by: {
          type: 'parse_exception',
          reason: 'control character 0x09 that is not escaped at byte 9',
        },
      },
    });
  });

  it('C023: stores documents byte for byte', () => {
    const source = '{ "big":9007199254740993,"f":1.0,"e":1E400,"b":2,"a":1, "u":"\\u00e9é" }';
    write(operation('index', '1', source));
    expect(copy.source('1')).toBe(source);
  });

  it('C122: a create of an existing id is a conflict that names the version and the shard', () => {
    write(operation('create', '1'), operation('index', '1'));
    expect(copy.writeOne(operation('create', '1'))).toEqual({
      ok: false,
      status: 409,
      error: {
        type: 'version_conflict_engine_exception',
        reason: '[1]: version conflict, document already exists (current version [2])',
        index: 'logs',
        shard: '0',
        index_uuid: 'u',
      },
    });
  });

  it('holds if_seq_no against index, update and delete', () => {
    write(operation('index', '1', { v: 1 }));
    const stale = { ifSeqNo: 5, ifPrimaryTerm: 1 };
    const fresh = { ifSeqNo: 0, ifPrimaryTerm: 1 };
    const wording =
      '[1]: version conflict, required seqNo [5], primary term [1]. current document has seqNo [0] and primary term [1]';
    for (const kind of ['index', 'update', 'delete'] as const)
      expect(reasonOf(copy.writeOne(operation(kind, '1', { doc: { v: 2 } }, stale)))).toBe(wording);
    expect(write(operation('update', '1', { doc: { v: 2 } }, fresh))).toEqual([['updated', 200, 2]]);
    expect(reasonOf(copy.writeOne(operation('delete', '9', '', fresh)))).toBe(
      '[9]: version conflict, required seqNo [0], primary term [1]. but no document was found',
    );
  });

  it('takes external versions, and holds them against tombstones', () => {
    const external = (version: number): Partial<Operation> => ({ version, versionType: 'external' });
    expect(
      write(
        operation('index', '1', {}, external(10)),
        operation('index', '1', {}, external(10)),
        operation('delete', '1', '', external(20)),
        operation('index', '1', {}, external(15)),
        operation('index', '1', {}, external(21)),
        operation('delete', '2', '', external(7)),
      ),
    ).toEqual([
      ['created', 201, 10],
      'version_conflict_engine_exception',
      ['deleted', 200, 20],
      'version_conflict_engine_exception',
      ['created', 201, 21],
      ['not_found', 404, 7],
    ]);
  });

  it('refuses a version that it could not store', () => {
    for (const version of [-1, 2 ** 53, 1.5])
      expect(reasonOf(copy.writeOne(operation('index', '1', {}, { version, versionType: 'external' })))).toBe(
        `[1]: illegal version value [${version}], allowed: 0 to 9007199254740991`,
      );
  });

  it('C064: an operation that fails in the middle stops nothing, and replicas get exactly what was applied', () => {
    write(operation('index', 'taken'));
    const operations = Array.from({ length: 10 }, (_, at) =>
      at === 5 ? operation('create', 'taken') : operation('index', `d${at}`, { at }),
    );
    const { results, replicaOperations } = copy.write(operations);
    expect(results.map((result) => result.ok)).toEqual([1, 1, 1, 1, 1, 0, 1, 1, 1, 1].map(Boolean));
    expect(replicaOperations.map(({ seqNo }) => seqNo)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const replica = new TestCopy();
    replica.replicate(
      copy
        .write([])
        .replicaOperations.concat(
          { ...operation('index', 'taken'), kind: 'index', version: 1, seqNo: 0, primaryTerm: 1 },
          replicaOperations,
        ),
    );
    expect(replica.state()).toEqual(copy.state());
    replica.remove();
  });

  it('keeps everything over a restart', () => {
    write(operation('index', '1', {}, { routing: 'r' }), operation('index', '2'), operation('delete', '2'));
    const before = copy.state();
    copy.reopen();
    expect(copy.state()).toEqual(before);
    expect(copy.store.counters).toEqual({ docs: 1, deleted: 1, maxSeqNo: 2, primaryTerm: 1, changes: 3 });
    expect(copy.writeOne(operation('index', '3'))).toMatchObject({ seqNo: 3 });
  });
});
