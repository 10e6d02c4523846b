// Time that moves only when a test or a simulation says so; fake for Clock and Timers in one.
import type { Cancel, Clock, Timers } from '../ops/clock.ts';

type Entry = { dueMs: number; order: number; periodMs: number | undefined; run: () => void };

/** A clock and its timers, advanced by hand; timers that fall due run in order of time, then of creation. */
export class ManualClock implements Clock, Timers {
  #nowMs: number;
  #order = 0;
  readonly #entries = new Set<Entry>();

  constructor(startMs = 0) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  wallMs(): number {
    return 1_700_000_000_000 + this.#nowMs;
  }

  after(delayMs: number, run: () => void): Cancel {
    return this.#add(delayMs, undefined, run);
  }

  every(periodMs: number, run: () => void): Cancel {
    return this.#add(periodMs, periodMs, run);
  }

  /** Moves time forward by `byMs`, running every timer that falls due on the way. */
  advance(byMs: number): void {
    const endMs = this.#nowMs + byMs;
    for (let next = this.#nextDue(endMs); next !== undefined; next = this.#nextDue(endMs)) {
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      if (next.periodMs === undefined) this.#entries.delete(next);
      else next.dueMs += next.periodMs;
      next.run();
    }
    this.#nowMs = endMs;
  }

  #add(delayMs: number, periodMs: number | undefined, run: () => void): Cancel {
    const entry: Entry = { dueMs: this.#nowMs + delayMs, order: this.#order++, periodMs, run };
    this.#entries.add(entry);
    return () => this.#entries.delete(entry);
  }

  #nextDue(untilMs: number): Entry | undefined {
    let best: Entry | undefined;
    for (const entry of this.#entries) {
      if (entry.dueMs > untilMs) continue;
      if (
        best === undefined ||
        entry.dueMs < best.dueMs ||
        (entry.dueMs === best.dueMs && entry.order < best.order)
      )
        best = entry;
    }
    return best;
  }
}
