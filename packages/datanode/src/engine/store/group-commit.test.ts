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

  it('requests that change nothing are not committed to disk', () => {
    copy.writeOne(operation('index', '1', { a: 1 }));
    const groups = [
      [batch([operation('create', '1'), operation('index', '2', 'x')])],
      [batch([operation('update', '1', { doc: { a: 1 } })])],
    ];
    for (const group of groups) expect(copy.store.applyGroup(group).commitMs).toBeUndefined();
    expect(copy.store.applyGroup([batch([], 2)]).commitMs).toBeDefined();
    copy.reopen();
    expect(copy.store.counters).toMatchObject({ changes: 1, maxSeqNo: 0, primaryTerm: 2 });
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
