// How long does work that comes to this process now wait for its turn on the event loop? The coordinator's own queue.
import type { Cancel, Clock, Timers } from '@weir/shared';

/** How often the loop is asked to run something at a known moment. */
const PROBE_MS = 50;
/** The longest wait of this time counts, so that a decision between two probes does not miss it. */
const REMEMBERED_MS = 500;

/** Measures how late its own timer fires. */
export class LoopLag {
  readonly #clock: Clock;
  readonly #timers: Timers;
  #cancel: Cancel | undefined;
  #expectedMs = 0;
  #longestMs = 0;
  #longestAtMs = Number.NEGATIVE_INFINITY;

  constructor({ clock, timers }: { readonly clock: Clock; readonly timers: Timers }) {
    this.#clock = clock;
    this.#timers = timers;
  }

  start(): void {
    this.#probe();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** The longest wait lately; a probe that is overdue at this moment counts already. */
  delayMs(): number {
    const nowMs = this.#clock.nowMs();
    const overdueMs = this.#cancel === undefined ? 0 : Math.max(0, nowMs - this.#expectedMs);
    const longestMs = nowMs - this.#longestAtMs > REMEMBERED_MS ? 0 : this.#longestMs;
    return Math.max(overdueMs, longestMs);
  }

  #probe(): void {
    this.#expectedMs = this.#clock.nowMs() + PROBE_MS;
    this.#cancel = this.#timers.after(PROBE_MS, () => {
      const lateMs = Math.max(0, this.#clock.nowMs() - this.#expectedMs);
      if (lateMs >= this.delayMs()) {
        this.#longestMs = lateMs;
        this.#longestAtMs = this.#clock.nowMs();
      }
      this.#probe();
    });
  }
}
