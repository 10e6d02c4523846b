import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@weir/shared/testing';
import type { LoadDocument } from './documents.ts';
import { noProgress, runLoad } from './run-load.ts';
import type { BulkResult } from './send-bulk.ts';

const document = (id: string): LoadDocument => ({ id, source: Buffer.from('{}') });

async function* documents(count: number): AsyncIterable<LoadDocument> {
  for (let at = 0; at < count; at += 1) yield document(String(at));
}

const accepted = (batch: readonly LoadDocument[]): BulkResult => ({
  accepted: batch.length,
  again: [],
  refused: 0,
  failed: 0,
  firstFailure: undefined,
  waitMs: undefined,
});

/** Lets promises settle and time pass in small steps until `done`. */
async function passTime(clock: ManualClock, done: Promise<unknown>, stepMs: number): Promise<void> {
  let running = true;
  void done.finally(() => {
    running = false;
  });
  for (let step = 0; running && step < 10_000; step += 1) {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    clock.advance(stepMs);
  }
  await done;
}

describe('a load', () => {
  it('sends every document once, in bulks, while nothing is refused', async () => {
    const clock = new ManualClock();
    const progress = noProgress();
    const sent: string[][] = [];
    const send = async (batch: readonly LoadDocument[]) => {
      sent.push(batch.map(({ id }) => id));
      return accepted(batch);
    };
    const options = { documents: documents(5), bulk: 2, concurrency: 1, rate: undefined, send };
    await runLoad({ ...options, clock, timers: clock }, progress);
    expect(sent).toEqual([['0', '1'], ['2', '3'], ['4']]);
    expect(progress).toMatchObject({ accepted: 5, retries: 0, failed: 0 });
  });

  it('sends only what was refused again, and not before the time asked for', async () => {
    const clock = new ManualClock();
    const progress = noProgress();
    const sentMs: [number, string[]][] = [];
    const send = async (batch: readonly LoadDocument[]): Promise<BulkResult> => {
      sentMs.push([clock.nowMs(), batch.map(({ id }) => id)]);
      if (sentMs.length > 1) return accepted(batch);
      return {
        ...accepted(batch.slice(0, 1)),
        again: batch.slice(1),
        refused: batch.length - 1,
        waitMs: 1_500,
      };
    };
    const options = { documents: documents(3), bulk: 3, concurrency: 1, rate: undefined, send };
    await passTime(clock, runLoad({ ...options, clock, timers: clock }, progress), 100);
    expect(sentMs.map(([, ids]) => ids)).toEqual([
      ['0', '1', '2'],
      ['1', '2'],
    ]);
    expect(sentMs[1]?.[0]).toBeGreaterThanOrEqual(1_500);
    expect(progress).toMatchObject({ accepted: 3, refused: 2, retries: 1 });
  });

  it('keeps to a rate, and does not make up for a stall with a burst', async () => {
    const clock = new ManualClock();
    const sentMs: number[] = [];
    const send = async (batch: readonly LoadDocument[]) => {
      sentMs.push(clock.nowMs());
      if (sentMs.length === 2) clock.advance(5_000);
      return accepted(batch);
    };
    const options = { documents: documents(50), bulk: 10, concurrency: 1, rate: 10, send };
    await passTime(clock, runLoad({ ...options, clock, timers: clock }, noProgress()), 100);
    const gaps = sentMs.slice(1).map((ms, at) => ms - (sentMs[at] ?? 0));
    expect(sentMs).toHaveLength(5);
    // Time passes here in steps of 100 ms.
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(900);
  });

  it('gives up on a bulk that never gets through, and says so', async () => {
    const clock = new ManualClock();
    const progress = noProgress();
    const send = async (batch: readonly LoadDocument[]): Promise<BulkResult> => ({
      ...accepted([]),
      again: batch,
      firstFailure: 'connect ECONNREFUSED',
    });
    const options = { documents: documents(1), bulk: 1, concurrency: 1, rate: undefined, send };
    await passTime(clock, runLoad({ ...options, clock, timers: clock }, progress), 10_000);
    expect(progress).toMatchObject({ accepted: 0, failed: 1 });
    expect(progress.firstFailure).toContain('connect ECONNREFUSED');
  });
});
