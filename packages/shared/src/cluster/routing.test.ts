import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { murmur3 } from './murmur3.ts';
import { defaultRoutingNumShards, type RoutingRule, shardOf } from './routing.ts';

const hex = (hash: number): string => (hash >>> 0).toString(16);
const rule = (
  shards: number,
  routingShards = defaultRoutingNumShards(shards),
  partition = 1,
): RoutingRule => ({
  number_of_shards: shards,
  routing_num_shards: routingShards,
  routing_partition_size: partition,
});

describe('murmur3', () => {
  it.each([
    ['hell', '5a0cb7c3'],
    ['hello', 'd7c31989'],
    ['hello w', '22ab2984'],
    ['hello wo', 'df0ca123'],
    ['hello wor', 'e7744d61'],
    ['The quick brown fox jumps over the lazy dog', 'e07db09c'],
    ['The quick brown fox jumps over the lazy cog', '4e63d2ad'],
    ['', '0'],
    ['a', '6f49d11a'],
    ['é', '41e915ff'],
    ['😀', '56065e39'],
  ])('E: of %j is %s', (text, expected) => {
    expect(hex(murmur3(text))).toBe(expected);
  });

  it('is a signed 32-bit integer for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const hash = murmur3(text);
        return hash === (hash | 0);
      }),
    );
  });
});

describe('routing', () => {
  it('E: splits a new index into as many routing shards as OpenSearch', () => {
    expect([1, 2, 3, 5, 1024].map(defaultRoutingNumShards)).toEqual([1024, 1024, 768, 640, 2048]);
  });

  it('E: sends ids to the shards OpenSearch sends them to', () => {
    const known =
      'sEERfFzPSI=1 cNRiIrjzYd=7 BgfLBXUyWT=5 cnepjZhQnb=3 OKCmuYkeCK=6 OutXGRQUja=5 yCdyocKWou=1 KXuNWWNgVj=2 DGJOYrpESx=4 upLDybdTGs=5 yhZhzCPQby=1 EyCVeiCouA=1 tFyVdQauWR=6 nyeRYDnDQr=6 hswhrppvDH=0 BSiWvDOsNE=5 YHicpFBSaY=1 EquPtdKaBZ=4 rSjLZHCDfT=5 qoZALVcite=7 yDCCPVBiCm=7 ngizYtQgGK=5 FYQRIBcNqz=0 EBzEDAPODe=2 YePigbXgKb=1 PeGJjomyik=3 cyQIvDmyYD=7 yIEfZrYfRk=5 kblouyFUbu=7 xvIGbRiGJF=3 KWimwsREPf=4 wsNavvIcdk=7 xkWaPcCmpT=0 FKKTOnJMDy=7 RuLzobYixn=2 mFohLeFRvF=4 aAMXnamRJg=7 zKBMYJDmBI=0 ElSVuJQQuw=7 pezPtTQAAm=7';
    for (const pair of known.split(' ')) {
      const [id = '', shard] = pair.split('=');
      expect([id, shardOf(rule(8, 8), id, undefined)]).toEqual([id, Number(shard)]);
    }
  });

  it('E: spreads one routing value over the partition', () => {
    const partitioned = rule(4, 8, 3);
    const shards = (routing: string): number[] =>
      [0, 1, 2, 3, 4, 5].map((number) => shardOf(partitioned, `${routing}_${number}`, routing));
    expect([shards('a'), shards('b')]).toEqual([
      [1, 2, 2, 2, 1, 2],
      [0, 0, 0, 0, 3, 3],
    ]);
  });

  it('E: places documents of a new index', () => {
    const ids = '1,2,3,4,5,a,b,doc-1,doc-2,doc-3,hello,user-42,日本語,😀'.split(',');
    const shards = (count: number): number[] => ids.map((id) => shardOf(rule(count), id, undefined));
    expect(shards(2)).toEqual([0, 0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1]);
    expect(shards(3)).toEqual([2, 1, 1, 1, 0, 0, 2, 0, 2, 0, 2, 0, 2, 0]);
  });

  it('E: reaches exactly as many shards with one routing value as the partition has', () => {
    // A partition of at most 6: 150 ids miss one of more shards now and then by chance.
    const sizes = fc
      .integer({ min: 2, max: 30 })
      .chain((shards) => fc.tuple(fc.constant(shards), fc.integer({ min: 1, max: Math.min(6, shards) })));
    fc.assert(
      fc.property(sizes, fc.string(), ([shards, partition], routing) => {
        const ids = Array.from({ length: 150 }, (_, number) => `id-${number}-${routing}`);
        const reached = new Set(ids.map((id) => shardOf(rule(shards, shards, partition), id, routing)));
        return reached.size === partition;
      }),
    );
  });

  it('always names a shard of the index', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1024 }),
        fc.string(),
        fc.option(fc.string()),
        (shards, id, routing) => {
          const shard = shardOf(rule(shards), id, routing ?? undefined);
          return Number.isInteger(shard) && shard >= 0 && shard < shards;
        },
      ),
    );
  });

  it('depends on the routing alone where there is one', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (one, other, routing) => {
        return shardOf(rule(5), one, routing) === shardOf(rule(5), other, routing);
      }),
    );
  });
});
