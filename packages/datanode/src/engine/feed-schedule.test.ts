import { describe, expect, it } from '@jest/globals';
import { ManualClock, settle } from '@weir/shared/testing';
import { FeedSchedule } from './feed-schedule.ts';
import type { FeedProgress } from './search/search-feed.ts';

/** Takes in `perRun` writes a run; gives way to writes when told to. */
class FakeIndex {
  readonly runs: string[] = [];
  readonly clock = new ManualClock();
  readonly schedule = new FeedSchedule((key, yielding) => this.#feed(key, yielding), this.clock, this.clock);
  indexed = 0;
  newest = 0;
  perRun = Number.POSITIVE_INFINITY;
  givesWay = false;
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

  async #feed(key: string, yielding: boolean): Promise<FeedProgress> {
    this.runs.push(`${key} ${yielding ? 'yielding' : 'full'}`);
    if (this.failure !== undefined) throw this.failure;
    this.indexed = Math.min(this.newest, this.indexed + this.perRun);
    const ended = this.indexed >= this.newest ? 'done' : this.givesWay && yielding ? 'gave_way' : 'enough';
    return { indexed: this.indexed, ended };
  }
}

describe('FeedSchedule', () => {
  it('takes in what is new once a second, and rests when there is nothing', async () => {
    const index = new FakeIndex();
    await index.pass(3_000);
    expect(index.runs).toEqual([]);
    index.write(5);
    await index.pass(999);
    expect(index.runs).toEqual([]);
    await index.pass(1);
    expect(index.runs).toEqual(['a yielding']);
    await index.pass(5_000);
    expect(index.runs).toHaveLength(1);
  });

  it('goes on at once while there is more, and pauses after giving way to writes', async () => {
    const index = new FakeIndex();
    index.perRun = 1;
    index.write(3);
    await index.pass(1_000);
    expect(index.runs).toHaveLength(3);
    index.givesWay = true;
    index.write(3);
    await index.pass(1_000);
    expect(index.runs).toHaveLength(4);
    await index.pass(249);
    expect(index.runs).toHaveLength(4);
    await index.pass(1);
    expect(index.runs).toHaveLength(5);
    await index.pass(250);
    expect(index.indexed).toBe(6);
  });

  it('does not give way for a copy that was searched in the last 30 seconds', async () => {
    const index = new FakeIndex();
    await index.schedule.beforeSearch('a');
    index.write(1);
    await index.pass(1_000);
    index.write(1);
    await index.pass(29_000);
    index.write(1);
    await index.pass(1_000);
    expect(index.runs).toEqual(['a full', 'a full', 'a yielding']);
  });

  it('refresh resolves when all that was applied before it is in', async () => {
    const index = new FakeIndex();
    index.perRun = 2;
    index.write(5);
    await index.schedule.refresh('a');
    expect(index.indexed).toBe(5);
    await index.schedule.refresh('a');
    expect(index.runs).toHaveLength(3);
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
    expect(index.runs).toHaveLength(2);
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
    expect(index.runs).toEqual([]);
  });
});
