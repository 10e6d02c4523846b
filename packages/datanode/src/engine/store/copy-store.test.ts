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

  it('that change nothing are a noop with the old version and go to no replica', () => {
    write(operation('index', '1', { a: 1 }));
    const { results, replicaOperations } = copy.write([operation('update', '1', { doc: { a: 1 } })]);
    expect(results).toMatchObject([{ result: 'noop', status: 200, version: 1, seqNo: 0 }]);
    expect(replicaOperations).toEqual([]);
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

  it('of a document nested beyond what can be merged fail alone and leave it as it is', () => {
    const depth = 100_000;
    const bomb = `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const { results } = copy.write([
      operation('index', '1', bomb),
      operation('update', '1', { doc: { b: 1 } }),
      operation('index', '2'),
    ]);
    expect(results.map(brief)).toEqual([
      ['created', 201, 1],
      'illegal_argument_exception',
      ['created', 201, 1],
    ]);
    expect(copy.source('1')).toBe(bomb);
  });
});

describe('group commit', () => {
  const batch = (operations: readonly Operation[], primaryTerm = 1) =>
    ({ role: 'primary', primaryTerm, operations }) as const;

  it('commits all that waits at once, and each request gets its own answers', () => {
    const { outcomes } = copy.store.applyGroup([
      batch([operation('index', '1')]),
      batch([operation('create', '1'), operation('index', '2')]),
    ]);
    expect(
      outcomes.map((outcome) => outcome.ok && outcome.applied.map(({ result }) => brief(result))),
    ).toEqual([[['created', 201, 1]], ['version_conflict_engine_exception', ['created', 201, 1]]]);
  });

  it('a request of a stale primary fails alone; a newer term is kept and fences the old one', () => {
    const { outcomes } = copy.store.applyGroup([
      batch([operation('index', '1')], 1),
      batch([operation('index', '2')], 3),
      batch([operation('index', '3')], 2),
    ]);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, false]);
    expect(outcomes[2]).toMatchObject({
      error: {
        code: 'version_conflict',
        message: '[logs][0]: operation primary term [2] is too old (current [3])',
      },
    });
    copy.reopen();
    expect(copy.store.counters).toMatchObject({ docs: 2, primaryTerm: 3, maxSeqNo: 1 });
    expect(() => copy.replicate([], 2)).toThrow('is too old');
  });

  it('a request that breaks in the middle leaves no trace, the others are stored', () => {
    const broken = new Proxy(operation('index', 'x'), {
      get: (target, key) => {
        if (key === 'source') throw new TypeError('broken');
        return Reflect.get(target, key);
      },
    });
    const { outcomes } = copy.store.applyGroup([
      batch([operation('index', '1')]),
      batch([operation('index', '2'), broken, operation('index', '3')]),
      batch([operation('index', '4')]),
    ]);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true]);
    expect([1, 2, 3, 4].map((id) => copy.source(String(id)) !== undefined)).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect(copy.store.counters).toMatchObject({ docs: 2, maxSeqNo: 1, changes: 2 });
  });

  it('a full disk fails every request of the group, stores nothing, and later writes go on', () => {
    copy.writeOne(operation('index', '1'));
    const pages = Number(copy.database.pragma('page_count', { simple: true }));
    copy.database.pragma(`max_page_count = ${pages + 2}`);
    const large = { text: 'x'.repeat(100_000) };
    const { outcomes, commitMs } = copy.store.applyGroup([
      batch([operation('index', '2')]),
      batch([operation('index', '3', large)]),
    ]);
    expect(outcomes).toMatchObject([
      { ok: false, error: { code: 'disk_full' } },
      { ok: false, error: { code: 'disk_full' } },
    ]);
    expect(commitMs).toBeUndefined();
    expect(copy.store.counters).toMatchObject({ docs: 1, maxSeqNo: 0, changes: 1 });
    expect([copy.source('2'), copy.source('3')]).toEqual([undefined, undefined]);
    copy.database.pragma(`max_page_count = ${pages + 1_000}`);
    expect(copy.writeOne(operation('index', '3', large))).toMatchObject({ result: 'created', seqNo: 1 });
  });
});

describe('the file of documents', () => {
  it('of another schema version is refused by name and left alone', () => {
    copy.database.pragma('user_version = 99');
    expect(() => copy.reopen()).toThrow('has schema version [99], this program reads version [1]');
    copy.database.close();
  });
});
