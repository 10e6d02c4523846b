// When does the text index of a copy take in what was written? Every second while the copy is searched, when the node has little to write
// otherwise, and before an answer that has to show it. Cutting texts into words costs more than writing them: a bulk load must not pay for it.
import type { Cancel, Clock, Timers } from '@weir/shared/clock';
import type { FeedProgress } from './search/search-feed.ts';

/** Takes in some of what is new in one copy. */
export type Feed = (key: string) => Promise<FeedProgress>;

/** OpenSearch's refresh interval. */
const REFRESH_EVERY_MS = 1_000;
/** OpenSearch's `index.search.idle.after`: a copy nobody searched for so long is not refreshed for its own sake. */
const IDLE_AFTER_MS = 30_000;
/** Writes between two rounds from which on the node is busy with them; the words of fewer cost some hundredths of a core. */
const BUSY_WRITES = 1_000;
/** The first search after a pause waits for what was written in it, but not for ever: then it answers with what is there. */
const FIRST_SEARCH_WAIT_MS = 5_000;
/** What a copy may owe its index under load: about as much as that first search can wait for. */
const MAX_BEHIND = 100_000;

/** While the node writes, a copy that nobody searches rests so many times as long as it was fed: large documents too cost a tenth of a core. */
const REST_PER_FED = 9;

type Copy = { applied: number; indexed: number; searchedMs: number; restUntilMs: number };

export class FeedSchedule {
  readonly #feed: Feed;
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #copies = new Map<string, Copy>();
  readonly #cancel: Cancel;
  #working = false;
  /** Writes of the whole node in the last round, and since. */
  #lastWrites = 0;
  #writes = 0;

  constructor(feed: Feed, clock: Clock, timers: Timers) {
    this.#feed = feed;
    this.#clock = clock;
    this.#timers = timers;
    this.#cancel = timers.every(REFRESH_EVERY_MS, () => this.#round());
  }

  add(key: string, applied: number, indexed: number): void {
    const never = Number.NEGATIVE_INFINITY;
    this.#copies.set(key, { applied, indexed, searchedMs: never, restUntilMs: never });
  }

  remove(key: string): void {
    this.#copies.delete(key);
  }

  /** The copy has applied so many writes. */
  applied(key: string, changes: number): void {
    const copy = this.#copies.get(key);
    if (copy === undefined || changes <= copy.applied) return;
    this.#writes += changes - copy.applied;
    copy.applied = changes;
  }

  /** Resolves when everything applied before the call can be found. */
  async refresh(key: string): Promise<void> {
    const copy = this.#copies.get(key);
    const target = copy?.applied ?? 0;
    while (copy !== undefined && copy.indexed < target) await this.#run(key, copy);
  }

  /** To be awaited before a search that uses the index. */
  async beforeSearch(key: string): Promise<void> {
    const copy = this.#copies.get(key);
    if (copy === undefined) return;
    const wasIdle = this.#isIdle(copy);
    copy.searchedMs = this.#clock.nowMs();
    if (!wasIdle || copy.indexed >= copy.applied) return;
    let cancel: Cancel = () => {};
    const enough = new Promise<void>((resolve) => {
      cancel = this.#timers.after(FIRST_SEARCH_WAIT_MS, resolve);
    });
    await Promise.race([this.refresh(key), enough]).finally(cancel);
  }

  stop(): void {
    this.#cancel();
    this.#copies.clear();
  }

  #round(): void {
    this.#lastWrites = this.#writes;
    this.#writes = 0;
    void this.#work();
  }

  /** One copy after the other, a part of each in turn, until none is due. */
  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    try {
      for (let due = this.#due(); due.length > 0; due = this.#due())
        for (const [key, copy] of due) await this.#run(key, copy);
    } catch {
      // The copy stays behind; the next round tries again, and whoever refreshes or searches it hears of the failure.
    } finally {
      this.#working = false;
    }
  }

  #due(): readonly (readonly [string, Copy])[] {
    const writes = Math.max(this.#lastWrites, this.#writes);
    const nowMs = this.#clock.nowMs();
    return [...this.#copies].filter(([, copy]) => {
      const behind = copy.applied - copy.indexed;
      if (behind > MAX_BEHIND || !this.#isIdle(copy)) return behind > 0;
      return behind > 0 && writes < BUSY_WRITES && (writes === 0 || nowMs >= copy.restUntilMs);
    });
  }

  async #run(key: string, copy: Copy): Promise<void> {
    const startMs = this.#clock.nowMs();
    const { indexed } = await this.#feed(key);
    const nowMs = this.#clock.nowMs();
    copy.restUntilMs = nowMs + REST_PER_FED * (nowMs - startMs);
    copy.indexed = Math.max(copy.indexed, indexed);
  }

  #isIdle(copy: Copy): boolean {
    return this.#clock.nowMs() - copy.searchedMs > IDLE_AFTER_MS;
  }
}
