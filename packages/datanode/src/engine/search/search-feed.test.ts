import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ReplicaOperation } from '@weir/shared';
import { operation } from '../../testing/copy-fixtures.ts';
import { SearchedCopy } from '../../testing/search-fixtures.ts';

let searched: SearchedCopy;
beforeEach(() => {
  searched = new SearchedCopy();
});
afterEach(() => searched.remove());

const find = (text: string): readonly number[] => searched.reader.find(`"${text}"`);
const write = (count: number): void => {
  searched.copy.write(
    Array.from({ length: count }, (_, at) => operation('index', `d${at}`, { text: `word${at}` })),
  );
};

describe('SearchFeed', () => {
  it('takes in new, changed and deleted documents once each', () => {
    searched.index({ a: { t: 'one' }, b: { t: 'two' } });
    searched.copy.write([
      operation('index', 'a', { t: 'three' }),
      operation('index', 'a', { t: 'four' }),
      operation('delete', 'b'),
      operation('index', 'c', { t: 'one' }),
      operation('delete', 'never'),
    ]);
    expect(searched.refresh()).toEqual({ indexed: 7 });
    expect(find('one')).toEqual([3]);
    expect(find('two')).toEqual([]);
    expect(find('three')).toEqual([]);
    expect(find('four')).toEqual([1]);
    expect(searched.refresh()).toEqual({ indexed: 7 });
  });

  it('takes in what a replica applied out of order', () => {
    const of = (id: string, seqNo: number): ReplicaOperation => ({
      ...{ kind: 'index', id, routing: undefined, source: Buffer.from(`{"t":"${id}"}`) },
      ...{ version: 1, seqNo, primaryTerm: 1 },
    });
    searched.copy.replicate([of('late', 9)]);
    searched.refresh();
    searched.copy.replicate([of('early', 2)]);
    searched.refresh();
    expect([find('late'), find('early')]).toEqual([[1], [2]]);
  });

  it('takes in a part at a time, and goes on where it stopped', () => {
    write(5_000);
    expect(searched.feed.run()).toEqual({ indexed: 2_048 });
    expect(searched.feed.run()).toEqual({ indexed: 4_096 });
    expect(searched.feed.run()).toEqual({ indexed: 5_000 });
    expect(find('word4999')).toHaveLength(1);
  });

  it('goes on after a restart, and begins anew when the index is lost, damaged or of another copy', () => {
    write(10);
    searched.refresh();
    searched.reopenIndex();
    expect(searched.feed.indexed).toBe(10);
    searched.reopenIndex(() => writeFileSync(searched.file, 'this is no database at all, not even close'));
    expect(searched.feed.indexed).toBe(0);
    searched.refresh();
    expect(find('word9')).toHaveLength(1);
    searched.reopenIndex(() => searched.copy.database.exec("UPDATE counters SET incarnation = 'another'"));
    expect(searched.feed.indexed).toBe(0);
    searched.refresh();
    expect(find('word9')).toHaveLength(1);
  });

  it('keeps its place when a run fails', () => {
    write(10);
    searched.copy.database.exec("UPDATE documents SET source = CAST('no JSON' AS BLOB) WHERE id = 'd9'");
    expect(() => searched.feed.run()).toThrow();
    expect(searched.feed.indexed).toBe(0);
    searched.copy.database.exec("UPDATE documents SET source = CAST('{}' AS BLOB) WHERE id = 'd9'");
    expect(searched.feed.run()).toEqual({ indexed: 10 });
    expect(find('word0')).toHaveLength(1);
  });
});
