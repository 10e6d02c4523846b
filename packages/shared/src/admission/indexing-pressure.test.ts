import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { IndexingPressure, type Release, type Stage } from './indexing-pressure.ts';

const KIB = 1024;
const limits = () => ({ primary: 10_240, replica: 15_360 });

function take(pressure: IndexingPressure, stage: Stage, bytes: number, forced = false): Release {
  const acquired = pressure.acquire(stage, bytes, { forced });
  if (!acquired.ok) throw new Error(`refused ${bytes} bytes of ${stage}`);
  return acquired.release;
}

describe('bytes in flight', () => {
  it('C1, C2: counts each stage and the sum, and keeps the totals after everything was given back', () => {
    const pressure = new IndexingPressure(limits);
    const releases = [
      take(pressure, 'coordinating', 10),
      take(pressure, 'coordinating', 50),
      take(pressure, 'primary', 15, true),
      take(pressure, 'primary', 5),
      take(pressure, 'replica', 25, true),
      take(pressure, 'replica', 10),
    ];
    expect(pressure.report().currentBytes).toEqual({ coordinating: 60, primary: 20, replica: 35 });
    expect(pressure.combinedBytes).toBe(80);
    for (const release of releases) release();
    expect(pressure.report().currentBytes).toEqual({ coordinating: 0, primary: 0, replica: 0 });
    expect(pressure.report().totalBytes).toEqual({ coordinating: 60, primary: 20, replica: 35 });
    expect(pressure.combinedBytes).toBe(0);
  });

  it.each(['coordinating', 'primary'] as const)(
    'C4, C5: the sum of all three stages counts against the limit of %s',
    (stage) => {
      const pressure = new IndexingPressure(limits);
      take(pressure, 'coordinating', 3 * KIB);
      take(pressure, 'primary', 3 * KIB);
      take(pressure, 'replica', 3 * KIB);
      expect(pressure.acquire(stage, 2 * KIB)).toEqual({
        ok: false,
        inFlightBytes: 9 * KIB,
        limitBytes: 10_240,
        permanent: false,
      });
      expect(pressure.report().rejections[stage]).toBe(1);
      expect(pressure.combinedBytes).toBe(6144);
    },
  );

  it('C6: forced bytes are taken over the limit', () => {
    const pressure = new IndexingPressure(limits);
    take(pressure, 'coordinating', 3 * KIB);
    take(pressure, 'primary', 3 * KIB);
    take(pressure, 'replica', 3 * KIB);
    take(pressure, 'primary', 2 * KIB, true);
    expect(pressure.combinedBytes).toBe(8192);
  });

  it("C7: a primary request from the same process's own coordinator is not counted twice", () => {
    const pressure = new IndexingPressure(limits);
    take(pressure, 'coordinating', 6 * KIB);
    const acquired = pressure.acquire('primary', 6 * KIB, { countedByOwnCoordinator: true });
    expect(acquired.ok).toBe(true);
    expect(pressure.combinedBytes).toBe(6 * KIB);
    expect(pressure.report().currentBytes.primary).toBe(6 * KIB);
  });

  it('C12: bytes equal to the limit fit, one more does not', () => {
    expect(new IndexingPressure(limits).acquire('primary', 10_240).ok).toBe(true);
    expect(new IndexingPressure(limits).acquire('primary', 10_241).ok).toBe(false);
  });

  it('C15: bytes that alone exceed the limit are refused for ever, with both numbers', () => {
    const pressure = new IndexingPressure(() => ({ primary: 53_687_091, replica: 80_530_636 }));
    expect(pressure.acquire('primary', 54_215_758)).toEqual({
      ok: false,
      inFlightBytes: 0,
      limitBytes: 53_687_091,
      permanent: true,
    });
  });

  it('C045: a replica at 1400 of 1500 bytes refuses 200 and takes exactly 100', () => {
    const pressure = new IndexingPressure(() => ({ primary: 1000, replica: 1500 }));
    take(pressure, 'replica', 1400);
    expect(pressure.acquire('replica', 200).ok).toBe(false);
    expect(pressure.acquire('replica', 100).ok).toBe(true);
  });

  it('I7: after any interleaving of takes and releases, also double ones, nothing is held', () => {
    const step = fc.record({
      stage: fc.constantFrom<Stage>('coordinating', 'primary', 'replica'),
      bytes: fc.nat(8_000),
      forced: fc.boolean(),
      releaseAt: fc.nat(50),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const pressure = new IndexingPressure(limits);
        const held: Release[] = [];
        for (const { stage, bytes, forced, releaseAt } of steps) {
          const acquired = pressure.acquire(stage, bytes, { forced });
          if (acquired.ok) held.push(acquired.release);
          held[releaseAt]?.();
        }
        for (const release of held) release();
        const { coordinating, primary, replica } = pressure.report().currentBytes;
        expect([coordinating, primary, replica, pressure.combinedBytes]).toEqual([0, 0, 0, 0]);
      }),
    );
  });
});
