// When does the text index of a copy take in what was written? Every second while it is searched, in the gaps between writes otherwise,
// and before an answer that has to show it. Cutting texts into words costs more than writing them: a node that is only written to must not pay.
import { type Cancel, type Clock, delay, type Timers } from '@weir/shared/clock';
import type { FeedProgress } from './search/search-feed.ts';

/** Feeds one copy for a while. `yielding`: stop early while writes wait. */
export type Feed = (key: string, yielding: boolean) => Promise<FeedProgress>;

/** OpenSearch's refresh interval. */
const REFRESH_EVERY_MS = 1_000;
/** OpenSearch's `index.search.idle.after`: a copy nobody searched for so long is not refreshed for its own sake. */
const IDLE_AFTER_MS = 30_000;
/** The first search after a pause waits for what was written in it, but not for ever: then it answers with what is there. */
const FIRST_SEARCH_WAIT_MS = 5_000;

/** After giving way to writes: 512 documents in so long are about a tenth of a core, and keep a node under constant load from falling ever further behind. */
const GIVE_WAY_MS = 250;

type Copy = { applied: number; indexed: number; searchedMs: number };

export class FeedSchedule {
  readonly #feed: Feed;
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #copies = new Map<string, Copy>();
  readonly #cancel: Cancel;
  #working = false;

  constructor(feed: Feed, clock: Clock, timers: Timers) {
    this.#feed = feed;
    this.#clock = clock;
    this.#timers = timers;
    this.#cancel = timers.every(REFRESH_EVERY_MS, () => void this.#work());
  }

  add(key: string, applied: number, indexed: number): void {
    this.#copies.set(key, { applied, indexed, searchedMs: Number.NEGATIVE_INFINITY });
  }

  remove(key: string): void {
    this.#copies.delete(key);
  }

  /** The copy has applied so many writes. */
  applied(key: string, changes: number): void {
    const copy = this.#copies.get(key);
    if (copy !== undefined) copy.applied = Math.max(copy.applied, changes);
  }

  /** Resolves when everything applied before the call can be found. */
  async refresh(key: string): Promise<void> {
    const copy = this.#copies.get(key);
    const target = copy?.applied ?? 0;
    while (copy !== undefined && copy.indexed < target) await this.#run(key, copy, false);
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

  /** One copy after the other until none is behind. */
  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    try {
      for (let behind = this.#behind(); behind.length > 0; behind = this.#behind())
        for (const [key, copy] of behind) {
          const ended = await this.#run(key, copy, this.#isIdle(copy));
          if (ended === 'gave_way') await delay(this.#timers, GIVE_WAY_MS);
        }
    } catch {
      // The copy stays behind; the next round tries again, and whoever refreshes or searches it hears of the failure.
    } finally {
      this.#working = false;
    }
  }

  #behind(): readonly (readonly [string, Copy])[] {
    return [...this.#copies].filter(([, copy]) => copy.indexed < copy.applied);
  }

  async #run(key: string, copy: Copy, yielding: boolean): Promise<FeedProgress['ended']> {
    const { indexed, ended } = await this.#feed(key, yielding);
    copy.indexed = Math.max(copy.indexed, indexed);
    return ended;
  }

  #isIdle(copy: Copy): boolean {
    return this.#clock.nowMs() - copy.searchedMs > IDLE_AFTER_MS;
  }
}
