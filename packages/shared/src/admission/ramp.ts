// Where does refusing begin, how steeply does it rise, and when does it end?
import type { Limit } from '../settings/effective-settings.ts';
import type { SignalName } from './signals.ts';

/** Holds a number between two bounds. */
export function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}

/** Where stress ends: soft less the margin, in points; for the queue the margin is a percentage of the soft limit. */
export function leaveLimit(signal: SignalName, limit: Limit, leaveMargin: number): number {
  return limit.soft - (signal === 'queue' ? (limit.soft * leaveMargin) / 100 : leaveMargin);
}

/** Share of the way from `low` to `high`, in [0, 1]; without a distance between them it is a step at `high`. */
export function shareBetween(value: number, low: number, high: number): number {
  if (high <= low) return value >= high ? 1 : 0;
  return clamp((value - low) / (high - low), 0, 1);
}

/** Whether one signal is past its limit: entered at soft, left at leave and not before the least hold is over. */
export class Hysteresis {
  #stressed = false;
  #sinceMs = 0;

  /** Takes in the signal's newest value and says whether it is stressed now. */
  update(value: number, soft: number, leave: number, minHoldMs: number, nowMs: number): boolean {
    if (value >= soft) {
      if (!this.#stressed) this.#sinceMs = nowMs;
      this.#stressed = true;
    } else if (this.#stressed && value <= leave && nowMs - this.#sinceMs >= minHoldMs) {
      this.#stressed = false;
    }
    return this.#stressed;
  }

  /** Forgets: what is unknown is neither calm nor stressed, and has to pass soft again. */
  reset(): void {
    this.#stressed = false;
  }

  get stressed(): boolean {
    return this.#stressed;
  }

  /** How long it has been stressed; 0 while it is not. */
  stressedForMs(nowMs: number): number {
    return this.#stressed ? Math.max(0, nowMs - this.#sinceMs) : 0;
  }
}
