// How full was something between two readings of its counters? Readings that cannot be trusted are dropped, not averaged in.
import { NO_WINDOW, type NoWindow } from './sampler.ts';

/** Two readings closer than this tell more of the counters' grain (10 ms in /proc/stat) than of the load. */
export const LEAST_WINDOW_MS = 500;
/** After a pause this long (a stopped process, a suspended machine) the counters tell of the pause, not of the load. */
export const LONGEST_WINDOW_MS = 5_000;

/** Turns two ever-growing counters, what was used and what could have been, into the percentage used since the reading before. */
export class CounterWindow {
  #used = 0;
  #possible = 0;
  #atMs: number | undefined;

  /**
   * Takes in both counters. The first reading, one after too long a pause and one with a counter that ran back only set a new
   * beginning; one that comes too soon leaves the old beginning, so the next window is longer.
   */
  observe(used: number, possible: number, nowMs: number): number | NoWindow {
    const elapsedMs = this.#atMs === undefined ? Number.POSITIVE_INFINITY : nowMs - this.#atMs;
    if (elapsedMs >= 0 && elapsedMs < LEAST_WINDOW_MS) return NO_WINDOW;
    const usedBetween = used - this.#used;
    const possibleBetween = possible - this.#possible;
    this.#used = used;
    this.#possible = possible;
    this.#atMs = nowMs;
    if (elapsedMs < 0 || elapsedMs > LONGEST_WINDOW_MS || usedBetween < 0 || possibleBetween <= 0)
      return NO_WINDOW;
    return Math.min(100, (usedBetween / possibleBetween) * 100);
  }
}
