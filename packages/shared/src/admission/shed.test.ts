import { describe, expect, it } from '@jest/globals';
import type { DigestedOperation } from './digest.ts';
import { digestOf } from './digest.ts';
import { epochNumber, shedPlace, shedSalt } from './shed.ts';

const KEY = { epoch: 1, salt: 7 };

function operation(id: string, source: string, change: Partial<DigestedOperation> = {}): DigestedOperation {
  return { kind: 'index', id, autoId: false, routing: undefined, source: Buffer.from(source), ...change };
}

describe('the place of a shard request', () => {
  it('is the same for a retry within an epoch, and another in the next', () => {
    expect(shedPlace(42, 'logs-a', 0, KEY)).toBe(shedPlace(42, 'logs-a', 0, KEY));
    expect(shedPlace(42, 'logs-a', 0, KEY)).not.toBe(shedPlace(42, 'logs-a', 0, { ...KEY, epoch: 2 }));
  });

  it('depends on index, shard and salt as well', () => {
    const place = shedPlace(42, 'logs-a', 0, KEY);
    expect(shedPlace(42, 'logs-b', 0, KEY)).not.toBe(place);
    expect(shedPlace(42, 'logs-a', 1, KEY)).not.toBe(place);
    expect(shedPlace(42, 'logs-a', 0, { ...KEY, salt: 8 })).not.toBe(place);
  });

  it('is spread evenly over [0, 1), over digests and over epochs', () => {
    const byDigest = Array.from({ length: 20_000 }, (_, digest) => shedPlace(digest, 'logs-a', 0, KEY));
    const byEpoch = Array.from({ length: 20_000 }, (_, epoch) =>
      shedPlace(42, 'logs-a', 0, { epoch, salt: 7 }),
    );
    for (const places of [byDigest, byEpoch]) {
      for (let tenth = 0; tenth < 10; tenth++) {
        const inside = places.filter((place) => place >= tenth / 10 && place < (tenth + 1) / 10).length;
        expect(inside).toBeGreaterThan(1_850);
        expect(inside).toBeLessThan(2_150);
      }
    }
  });

  it('has a salt of cluster name and secret, the same at every node', () => {
    expect(shedSalt('weir', 'secret')).toBe(shedSalt('weir', 'secret'));
    expect(shedSalt('weir', 'secret')).not.toBe(shedSalt('weir', 'other'));
    expect(shedSalt('weir', undefined)).not.toBe(shedSalt('other', undefined));
  });

  it('belongs to the epoch of the wall clock', () => {
    expect(epochNumber(119_999, 60_000)).toBe(1);
    expect(epochNumber(120_000, 60_000)).toBe(2);
  });
});

describe('the digest of a shard request', () => {
  const two = [operation('1', '{"m":"one"}'), operation('2', '{"m":"two"}')];

  it('is the same for the same items, also when they come back in another order', () => {
    expect(digestOf([...two])).toBe(digestOf(two));
    expect(digestOf([...two].reverse())).toBe(digestOf(two));
  });

  it('differs with ids, kinds, routing and source bytes, and with the number of items', () => {
    const digest = digestOf(two);
    for (const changed of [
      operation('3', '{"m":"two"}'),
      operation('2', '{"m":"two"}', { kind: 'create' }),
      operation('2', '{"m":"two"}', { routing: 'a' }),
      operation('2', '{"m":"TWO"}'),
    ]) {
      expect(digestOf([operation('1', '{"m":"one"}'), changed])).not.toBe(digest);
    }
    expect(digestOf(two.slice(1))).not.toBe(digest);
    expect(digestOf([...two, ...two])).not.toBe(digest);
  });

  it('leaves ids out that were made here, since a retry gets new ones', () => {
    const auto = (id: string) => operation(id, '{"m":"x"}', { autoId: true });
    expect(digestOf([auto('a')])).toBe(digestOf([auto('b')]));
    expect(digestOf([auto('a')])).not.toBe(digestOf([operation('a', '{"m":"x"}')]));
  });
});
