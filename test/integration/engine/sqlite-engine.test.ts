// Does the engine on its three threads keep what its port promises?
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type DataDirectory, openDataDirectory, type SqliteEngine, sqliteEngine } from '@weir/datanode';
import { systemClock, systemRng, systemTimers, WeirError } from '@weir/shared';
import { eventually } from '../../support/eventually.ts';
import {
  admittedPrimary,
  admittedReplica,
  COPY,
  indexOperation,
  METADATA,
} from '../../support/shard-requests.ts';

// Every step waits for a disk that others may be using.
jest.setTimeout(60_000);

let path: string;
let directory: DataDirectory;
let engine: SqliteEngine;

async function start(): Promise<void> {
  directory = openDataDirectory(path, systemRng);
  engine = await sqliteEngine({ directory, clock: systemClock, timers: systemTimers });
  await engine.openCopy(COPY, METADATA);
}
async function stop(): Promise<void> {
  await engine.close();
  directory.release();
}
beforeEach(async () => {
  path = mkdtempSync(join(tmpdir(), 'weir-engine-'));
  await start();
});
afterEach(async () => {
  await stop();
  rmSync(path, { recursive: true, force: true });
});

const write = (...operations: Parameters<typeof admittedPrimary>[0]) =>
  engine.applyPrimary(admittedPrimary(operations));
const count = (query: unknown): Promise<number> => engine.count(COPY, query);
const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'done',
    (thrown: unknown) => (thrown instanceof WeirError ? thrown.code : String(thrown)),
  );

describe('sqliteEngine', () => {
  it('acknowledges requests that come at once, each with its own answers, numbered without gaps', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        write(indexOperation(`a${at}`, { at }), { ...indexOperation('same', { at }), kind: 'create' }),
      ),
    );
    const results = outcomes.flatMap((outcome) => outcome.results);
    expect(results.filter((result) => result.ok)).toHaveLength(51);
    const seqNos = results.flatMap((result) => (result.ok ? [result.seqNo] : [])).sort((a, b) => a - b);
    expect(seqNos).toEqual(Array.from({ length: 51 }, (_, at) => at));
    expect(await engine.stats(COPY)).toMatchObject({ docs: 51, deleted: 0, maxSeqNo: 50, primaryTerm: 1 });
    expect(engine.commitLatencyMs).toBeGreaterThan(0);
  });

  it('C037, C068: a replica that hears of two requests in the wrong order ends like the primary', async () => {
    const replica = { ...COPY, indexUuid: 'replica' };
    await engine.openCopy(replica, METADATA);
    const first = await write(indexOperation('1', { v: 1 }), { ...indexOperation('2', ''), kind: 'delete' });
    const second = await write(indexOperation('1', { v: 2 }), indexOperation('2', { v: 9 }));
    const apply = (outcome: typeof first): Promise<void> =>
      engine.applyReplica({ ...admittedReplica(outcome.replicaOperations), indexUuid: 'replica' });
    await apply(second);
    await apply(first);
    expect(await engine.get(replica, ['1', '2'])).toEqual(await engine.get(COPY, ['1', '2']));
    expect(await engine.stats(replica)).toMatchObject({ docs: 2, maxSeqNo: 3 });
  });

  it('gets see every acknowledged write, with its bytes, version and routing', async () => {
    const source = '{"big":9007199254740993,"f":1.0,"e":1E400,"b":2,"a":1}';
    await write({ ...indexOperation('1', source), routing: 'r' });
    expect(await engine.get(COPY, ['1', 'none', '1'])).toEqual([
      { id: '1', routing: 'r', source: Buffer.from(source), version: 1, seqNo: 0, primaryTerm: 1 },
      undefined,
      expect.objectContaining({ id: '1' }),
    ]);
  });

  it('a refresh makes all that was applied before it visible to search; without one it is visible soon', async () => {
    await write(indexOperation('1', { t: 'river' }));
    await engine.refresh(COPY);
    expect(await count({ match: { t: 'river' } })).toBe(1);
    await write(indexOperation('2', { t: 'river' }));
    await eventually(async () => (await count({ match: { t: 'river' } })) === 2, 30_000);
  });

  it('answers a search with sources and sort values', async () => {
    await write(indexOperation('a', { n: 2 }), indexOperation('b', { n: 1 }), indexOperation('c', {}));
    const search = { query: { match_all: {} }, from: 1, size: 2, sort: ['n'], trackTotalHits: true };
    expect(await engine.search(COPY, search)).toEqual({
      total: 3,
      maxScore: null,
      hits: [
        { id: 'b', score: null, routing: undefined, source: Buffer.from('{"n":1}'), sort: [1] },
        { id: 'a', score: null, routing: undefined, source: Buffer.from('{"n":2}'), sort: [2] },
        { id: 'c', score: null, routing: undefined, source: Buffer.from('{}'), sort: [null] },
      ],
    });
  });

  it('names a query it does not support', async () => {
    await expect(count({ bool: { filter: [{ fuzzy: { a: 'x' } }] } })).rejects.toMatchObject({
      code: 'parsing',
      message: expect.stringContaining('unknown query [fuzzy]'),
    });
  });

  it('reads wait neither for a large write nor for a long search', async () => {
    const many = Array.from({ length: 20_000 }, (_, at) =>
      indexOperation(`d${at}`, { at, text: 'x'.repeat(200) }),
    );
    await write(indexOperation('first', { v: 1 }));
    const order: string[] = [];
    const writing = write(...many).then(() => order.push('write'));
    await engine.get(COPY, ['first']).then(() => order.push('get'));
    await writing;
    const searching = count({ range: { at: { gte: 10 } } }).then((found) => order.push(`found ${found}`));
    await engine.get(COPY, ['first']).then(() => order.push('get'));
    await searching;
    expect(order).toEqual(['get', 'write', 'get', 'found 19990']);
  });

  it('a stale primary is fenced, in both roles', async () => {
    await engine.applyPrimary(admittedPrimary([indexOperation('1', {})], 3));
    expect(await codeOf(engine.applyPrimary(admittedPrimary([indexOperation('2', {})], 2)))).toBe(
      'version_conflict',
    );
    expect(await codeOf(engine.applyReplica(admittedReplica([], 2)))).toBe('version_conflict');
    expect(await engine.get(COPY, ['2'])).toEqual([undefined]);
  });

  it('has its copies and documents again after a restart', async () => {
    await write(indexOperation('1', { t: 'kept' }));
    await engine.refresh(COPY);
    await stop();
    await start();
    expect(await engine.listCopies()).toEqual([COPY]);
    expect(await count({ match: { t: 'kept' } })).toBe(1);
    const [result] = (await write(indexOperation('1', {}))).results;
    expect(result).toMatchObject({ version: 2, seqNo: 1 });
  });

  it('opens a copy once, forgets it when told, and begins anew after that', async () => {
    await Promise.all([engine.openCopy(COPY, METADATA), engine.openCopy(COPY, METADATA)]);
    await write(indexOperation('1', {}));
    await engine.removeCopy(COPY);
    expect(await engine.listCopies()).toEqual([]);
    expect(await codeOf(write(indexOperation('1', {})))).toBe('no_shard_available');
    expect(await codeOf(engine.get(COPY, ['1']))).toBe('no_shard_available');
    await engine.removeCopy(COPY);
    await engine.openCopy(COPY, METADATA);
    expect(await engine.get(COPY, ['1'])).toEqual([undefined]);
  });

  it('does not take a copy whose documents are lost for an empty one', async () => {
    await write(indexOperation('1', {}));
    await stop();
    rmSync(join(path, 'shards', COPY.indexUuid, '0', 'docs.db'));
    directory = openDataDirectory(path, systemRng);
    engine = await sqliteEngine({ directory, clock: systemClock, timers: systemTimers });
    expect(await codeOf(engine.openCopy(COPY, METADATA))).toBe('internal');
  });

  it('fails every call once it is closed', async () => {
    const writing = write(indexOperation('1', {}));
    await engine.close();
    expect((await writing).results).toMatchObject([{ ok: true }]);
    expect(engine.failure?.code).toBe('unavailable');
    expect(await codeOf(write(indexOperation('2', {})))).toBe('unavailable');
    expect(await codeOf(engine.get(COPY, ['1']))).toBe('unavailable');
    expect(await codeOf(engine.refresh(COPY))).toBe('done');
  });
});
