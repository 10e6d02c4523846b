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

describe('updates', () => {
  it('merge into the document, and the replicas get the whole of it with its routing', () => {
    write(operation('index', '1', '{"a":{"b":1,"big":9007199254740993},"c":1.0}', { routing: 'r' }));
    const { results, replicaOperations } = copy.write([operation('update', '1', { doc: { a: { x: 'y' } } })]);
    expect(results.map(brief)).toEqual([['updated', 200, 2]]);
    const merged = '{"a":{"b":1,"big":9007199254740993,"x":"y"},"c":1.0}';
    expect(copy.source('1')).toBe(merged);
    expect(replicaOperations).toEqual([
      {
        kind: 'index',
        id: '1',
        routing: 'r',
        source: Buffer.from(merged),
        version: 2,
        seqNo: 1,
        primaryTerm: 1,
      },
    ]);
  });

  it('that change nothing are a noop with the old version, which goes to the replicas once more: they may lack it', () => {
    const stored = copy.write([operation('index', '1', { a: 1 })]).replicaOperations;
    const { results, replicaOperations } = copy.write([operation('update', '1', { doc: { a: 1 } })]);
    expect(results).toMatchObject([{ result: 'noop', status: 200, version: 1, seqNo: 0 }]);
    expect(replicaOperations).toEqual(stored);
    expect(write(operation('update', '1', { doc: { a: 1 }, detect_noop: false }))).toEqual([
      ['updated', 200, 2],
    ]);
  });

  it('of a missing document fail, or make it with upsert or doc_as_upsert', () => {
    write(operation('index', 'gone'), operation('delete', 'gone'));
    expect(copy.writeOne(operation('update', '1', { doc: {} }))).toMatchObject({
      status: 404,
      error: { type: 'document_missing_exception', reason: '[1]: document missing', shard: '0' },
    });
    expect(
      write(
        operation('update', '1', { doc: { a: 1 }, upsert: { b: 1 } }),
        operation('update', '1', { doc: { a: 1 }, upsert: { b: 1 } }),
        operation('update', '2', { doc: { a: 1 }, doc_as_upsert: true }),
        operation('update', 'gone', { doc: { a: 1 }, doc_as_upsert: true }),
      ),
    ).toEqual([
      ['created', 201, 1],
      ['updated', 200, 2],
      ['created', 201, 1],
      ['created', 201, 3],
    ]);
    expect([copy.source('1'), copy.source('2')]).toEqual(['{"b":1,"a":1}', '{"a":1}']);
  });

  it('show the resulting source when the action or the body asks for it', () => {
    write(operation('index', '1', { a: 1, b: 2 }));
    const get = (result: ItemResult): unknown => (result.ok ? result.get : undefined);
    expect(get(copy.writeOne(operation('update', '1', { doc: { c: 3 } }, { returnSource: true })))).toEqual({
      _seq_no: 1,
      _primary_term: 1,
      found: true,
      _source: { a: 1, b: 2, c: 3 },
    });
    expect(
      get(copy.writeOne(operation('update', '1', { doc: { c: 3 }, _source: ['a', 'c'] }))),
    ).toMatchObject({
      _source: { a: 1, c: 3 },
    });
    expect(
      get(copy.writeOne(operation('update', '1', { doc: {}, _source: false }, { returnSource: true }))),
    ).toBe(undefined);
    expect(get(copy.writeOne(operation('update', '1', { doc: {} })))).toBeUndefined();
  });

  it('fail as items on a script, an unknown key or a bad body', () => {
    write(operation('index', '1'));
    expect(
      write(
        operation('update', '1', { script: {} }),
        operation('update', '1', { docs: {} }),
        operation('update', '1', {}),
        operation('update', '1', 'x'),
      ),
    ).toEqual([
      'illegal_argument_exception',
      'x_content_parse_exception',
      'action_request_validation_exception',
      'x_content_parse_exception',
    ]);
  });

  it('merge a document as deep as one may be', () => {
    const deepest = `{"a":${'['.repeat(999)}${']'.repeat(999)}}`;
    const { results } = copy.write([
      operation('index', '1', deepest),
      operation('update', '1', { doc: { b: 1 } }),
    ]);
    expect(results.map(brief)).toEqual([
      ['created', 201, 1],
      ['updated', 200, 2],
    ]);
    expect(copy.source('1')).toBe(`${deepest.slice(0, -1)},"b":1}`);
  });
});
