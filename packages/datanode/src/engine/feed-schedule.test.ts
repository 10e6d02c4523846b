import { describe, expect, it } from '@jest/globals';
import { delay } from '@weir/shared/clock';
import { ManualClock, settle } from '@weir/shared/testing';
import { FeedSchedule } from './feed-schedule.ts';
import type { FeedProgress } from './search/search-feed.ts';

/** Takes in up to `perRun` writes a run. */
class FakeIndex {
  readonly clock = new ManualClock();
  readonly schedule = new FeedSchedule(() => this.#feed(), this.clock, this.clock);
  runs = 0;
  indexed = 0;
  newest = 0;
  perRun = Number.POSITIVE_INFINITY;
  /** How long a run takes. */
  tookMs = 0;
  failure: Error | undefined;

  constructor() {
    this.schedule.add('a', 0, 0);
  }

  write(count: number): void {
    this.newest += count;
    this.schedule.applied('a', this.newest);
  }

  async pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    await settle();
  }

  async #feed(): Promise<FeedProgress> {
    this.runs++;
    if (this.failure !== undefined) throw this.failure;
    if (this.tookMs > 0) await delay(this.clock, this.tookMs);
    this.indexed = Math.min(this.newest, this.indexed + this.perRun);
    return { indexed: this.indexed };
  }
}

describe('FeedSchedule', () => {
  it('takes in what is new once a second until all is in, and rests when there is nothing', async () => {
    const index = new FakeIndex();
    await index.pass(3_000);
    index.perRun = 2;
    index.write(5);
    await index.pass(999);
    expect(index.runs).toBe(0);
    await index.pass(1);
    expect([index.runs, index.indexed]).toEqual([3, 5]);
    await index.pass(5_000);
    expect(index.runs).toBe(3);
  });

  it('leaves a copy nobody searches alone while the node is busy writing, and catches up after that', async () => {
    const index = new FakeIndex();
    for (let second = 0; second < 5; second++) {
      index.write(1_000);
      await index.pass(1_000);
    }
    expect(index.indexed).toBe(0);
    index.write(10);
    await index.pass(1_000);
    expect(index.indexed).toBe(5_010);
  });

  it('stops for a node that becomes busy while it catches up', async () => {
    const index = new FakeIndex();
    const schedule = new FeedSchedule(
      async () => {
        index.indexed += 1;
        schedule.applied('a', index.indexed * 2_000);
        return { indexed: index.indexed };
      },
      index.clock,
      index.clock,
    );
    schedule.add('a', 0, 0);
    schedule.applied('a', 10);
    await index.pass(1_000);
    expect(index.indexed).toBe(1);
  });

  it('gives a copy nobody searches a tenth of a core while the node writes, however large its documents are', async () => {
    const index = new FakeIndex();
    index.tookMs = 400;
    for (let step = 0; step < 110; step++) {
      index.write(1);
      await index.pass(100);
    }
    // At 1 s, then 3.6 s after it was fed: at 5 and 9 s.
    expect(index.runs).toBe(3);
    await index.pass(2_000);
    await index.pass(1_000);
    expect(index.indexed).toBe(110);
  });

  it('does not let a busy node owe more than a first search can wait for', async () => {
    const index = new FakeIndex();
    index.perRun = 2_048;
    index.write(100_000);
    await index.pass(1_000);
    expect(index.indexed).toBe(0);
    index.write(1_000);
    await index.pass(1_000);
    expect(index.indexed).toBe(2_048);
  });

  it('keeps a copy that was searched in the last 30 seconds up to date, however busy the node is', async () => {
    const index = new FakeIndex();
    await index.schedule.beforeSearch('a');
    index.write(5_000);
    await index.pass(1_000);
    expect(index.indexed).toBe(5_000);
    await index.pass(28_000);
    index.write(5_000);
    await index.pass(1_000);
    expect(index.indexed).toBe(10_000);
    index.write(5_000);
    await index.pass(1_000);
    expect(index.indexed).toBe(10_000);
  });

  it('refresh resolves when all that was applied before it is in', async () => {
    const index = new FakeIndex();
    index.perRun = 2;
    index.write(5);
    await index.schedule.refresh('a');
    expect(index.indexed).toBe(5);
    await index.schedule.refresh('a');
    expect(index.runs).toBe(3);
  });

  it('the first search after a pause waits for what was written in it, the next ones do not', async () => {
    const index = new FakeIndex();
    index.write(5);
    await index.schedule.beforeSearch('a');
    expect(index.indexed).toBe(5);
    index.write(5);
    await index.schedule.beforeSearch('a');
    expect(index.indexed).toBe(5);
    await index.pass(31_000);
    index.write(5);
    await index.schedule.beforeSearch('a');
    expect(index.indexed).toBe(15);
  });

  it('a first search waits five seconds at most', async () => {
    const index = new FakeIndex();
    const schedule = new FeedSchedule(() => new Promise(() => {}), index.clock, index.clock);
    schedule.add('a', 5, 0);
    let answered = false;
    void schedule.beforeSearch('a').then(() => {
      answered = true;
    });
    await index.pass(4_999);
    expect(answered).toBe(false);
    await index.pass(1);
    expect(answered).toBe(true);
  });

  it('tries again after a failure, and tells who refreshes of it', async () => {
    const index = new FakeIndex();
    index.failure = new Error('disk');
    index.write(1);
    await index.pass(1_000);
    await index.pass(1_000);
    expect(index.runs).toBe(2);
    await expect(index.schedule.refresh('a')).rejects.toThrow('disk');
    await expect(index.schedule.beforeSearch('a')).rejects.toThrow('disk');
    index.failure = undefined;
    await index.pass(1_000);
    expect(index.indexed).toBe(1);
  });

  it('forgets a copy that is removed, and everything when stopped', async () => {
    const index = new FakeIndex();
    index.write(1);
    index.schedule.remove('a');
    await index.pass(1_000);
    await index.schedule.refresh('a');
    await index.schedule.beforeSearch('a');
    index.schedule.add('a', 1, 0);
    index.schedule.stop();
    await index.pass(1_000);
    expect(index.runs).toBe(0);
  });
});
