import { describe, expect, it } from '@jest/globals';
import { CALM, IndexingPressure } from '@weir/shared';
import { DEFAULT_SETTINGS, ManualClock, seededRng } from '@weir/shared/testing';
import { Guard } from './admit-shard.ts';
import { ReplicaPermits } from './replica-permits.ts';

const LONGEST_MS = 50_000;

function scene() {
  const clock = new ManualClock();
  const pressure = new IndexingPressure(() => ({ primary: 1_000, replica: 1_500 }));
  const guard = new Guard({
    ...{ node: 'dn2', clock, salt: 1, settings: () => DEFAULT_SETTINGS, pressure, stressOf: () => CALM },
    recorder: { record: () => 'd' },
    isDraining: () => false,
    freeDiskBytes: () => undefined,
  });
  const permits = new ReplicaPermits({ guard, timers: clock, rng: seededRng(1), longestMs: LONGEST_MS });
  const ask = (bytes: number, holdMs = 10_000) =>
    permits.grant({
      ...{ index: 'logs', shard: 0, operations: 1, bytes, digest: 7, request_id: 'r', hold_ms: holdMs },
    });
  const heldBytes = async (): Promise<number> => {
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    return pressure.report().currentBytes.replica;
  };
  return { clock, permits, ask, heldBytes };
}

const permitOf = (answer: Awaited<ReturnType<ReplicaPermits['grant']>>): string =>
  answer.outcome === 'granted' ? answer.permit : answer.outcome;

describe("a permit for a replica's part", () => {
  it('holds its bytes until it is given back, once', async () => {
    const { permits, ask, heldBytes } = scene();
    const permit = permitOf(await ask(1_000));
    expect(await heldBytes()).toBe(1_000);
    expect([permits.release(permit), permits.release(permit), permits.release('other')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(await heldBytes()).toBe(0);
  });

  it('ends by itself when its holder died, at its own time or at the longest there is', async () => {
    const { clock, ask, heldBytes } = scene();
    await ask(100, 10_000);
    await ask(200, 1e9);
    clock.advance(10_000);
    expect(await heldBytes()).toBe(200);
    clock.advance(LONGEST_MS - 10_000);
    expect(await heldBytes()).toBe(0);
  });

  it('is refused with its evidence where the bytes do not fit, and holds nothing then', async () => {
    const { ask, heldBytes } = scene();
    await ask(1_000);
    expect(await ask(501)).toMatchObject({
      outcome: 'refused',
      evidence: { reason: 'replica_bytes', node: 'dn2', value: 1_501, limit: 1_500 },
    });
    expect(await heldBytes()).toBe(1_000);
  });

  it('ends when the part it was given for comes, whichever of its permits is the one held here', async () => {
    const { permits, ask, heldBytes } = scene();
    const permit = permitOf(await ask(1_000));
    expect([permits.use(undefined), permits.use('x,y'), permits.use(`x,${permit}`)]).toEqual([
      false,
      false,
      true,
    ]);
    expect(await heldBytes()).toBe(0);
  });

  it('does not outlive its node', async () => {
    const { permits, ask, heldBytes } = scene();
    await ask(1);
    await ask(2);
    permits.close();
    expect(await heldBytes()).toBe(0);
  });
});
