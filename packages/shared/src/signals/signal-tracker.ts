// How high is one signal, averaged, and can the averages be trusted?
import { Ewma } from '../admission/ewma.ts';
import type { SignalReading } from '../admission/signal-readings.ts';
import { LONGEST_WINDOW_MS } from './counter-window.ts';
import { NO_WINDOW } from './sampler.ts';

/** Quick to see stress begin. */
const FAST_TAU_MS = 2_000;
/** Slow to believe that it is over. */
const SLOW_TAU_MS = 10_000;
/** The averages mean something once the samples span the fast one's window. */
const WARM_UP_MS = FAST_TAU_MS;

/** Averages one signal's samples; `warming` at first and after a gap, `unavailable` while its source fails or is silent. */
export class SignalTracker {
  #fast = new Ewma(FAST_TAU_MS);
  #slow = new Ewma(SLOW_TAU_MS);
  #firstMs: number | undefined;
  #lastMs = 0;
  #failed = false;

  /** Takes in what a sampler answered; false when that was no reading and nothing else a sampler may answer. */
  observe(sample: unknown, nowMs: number): boolean {
    if (sample === NO_WINDOW) return true;
    this.#failed = typeof sample !== 'number' || !Number.isFinite(sample);
    if (typeof sample !== 'number' || this.#failed) return false;
    if (this.#firstMs === undefined || nowMs - this.#lastMs > LONGEST_WINDOW_MS) this.#restart(nowMs);
    const percent = Math.min(100, Math.max(0, sample));
    this.#fast.observe(percent, nowMs);
    this.#slow.observe(percent, nowMs);
    this.#lastMs = nowMs;
    return true;
  }

  /** Both averages with what they are worth now; undefined before the first sample. While unavailable they are the last known ones. */
  reading(nowMs: number): SignalReading | undefined {
    const fast = this.#fast.value();
    const slow = this.#slow.value();
    if (fast === undefined || slow === undefined || this.#firstMs === undefined) return undefined;
    if (this.#failed || nowMs - this.#lastMs > LONGEST_WINDOW_MS)
      return { fast, slow, quality: 'unavailable' };
    return { fast, slow, quality: this.#lastMs - this.#firstMs < WARM_UP_MS ? 'warming' : 'ok' };
  }

  /** What was before a gap says nothing of now, and the first sample after it would otherwise outweigh everything. */
  #restart(nowMs: number): void {
    this.#fast = new Ewma(FAST_TAU_MS);
    this.#slow = new Ewma(SLOW_TAU_MS);
    this.#firstMs = nowMs;
  }
}
