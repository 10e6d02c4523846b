// How does one signal stand for one role: unknown, calm or stressed, and how far up its ramp?
import type { Limit } from '../settings/effective-settings.ts';
import { Hysteresis, leaveLimit, shareBetween } from './ramp.ts';
import { waitUnderStress, waitWhileFalling } from './retry-after.ts';
import type { SignalName } from './signals.ts';

/** Holds the state of one signal for one role between its readings. */
export class SignalState {
  readonly signal: SignalName;
  readonly #hysteresis = new Hysteresis();
  #known = false;
  #value = 0;
  #leave = 0;
  #ramp = 0;

  constructor(signal: SignalName) {
    this.signal = signal;
  }

  /** Takes in the newest value; undefined or not finite is unknown. */
  update(
    value: number | undefined,
    limit: Limit,
    leaveMargin: number,
    minHoldMs: number,
    nowMs: number,
  ): void {
    if (value === undefined || !Number.isFinite(value)) {
      this.forget();
      return;
    }
    this.#known = true;
    this.#value = value;
    this.#leave = leaveLimit(this.signal, limit, leaveMargin);
    const stressed = this.#hysteresis.update(value, limit.soft, this.#leave, minHoldMs, nowMs);
    this.#ramp = stressed ? shareBetween(value, this.#leave, limit.hard) : 0;
  }

  /** The signal is unknown, or counts no longer. */
  forget(): void {
    this.#known = false;
    this.#ramp = 0;
    this.#hysteresis.reset();
  }

  get state(): 'unknown' | 'calm' | 'stressed' {
    if (!this.#known) return 'unknown';
    return this.#hysteresis.stressed ? 'stressed' : 'calm';
  }

  get value(): number {
    return this.#value;
  }

  /** Stress before corroboration, in [0, 1]. */
  get ramp(): number {
    return this.#ramp;
  }

  /** How long until it may be over; `fallPerMs` is how fast its slow average falls, 0 when it does not. */
  waitMs(fallPerMs: number, minMs: number, nowMs: number): number {
    if (fallPerMs > 0) return waitWhileFalling(this.#value, this.#leave, fallPerMs);
    return waitUnderStress(this.#hysteresis.stressedForMs(nowMs), minMs);
  }
}
