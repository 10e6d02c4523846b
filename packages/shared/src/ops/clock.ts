// The only place that touches ambient time and chance: every other file is handed a Clock, Timers or Rng.
import { randomBytes } from 'node:crypto';

/** Reads time. */
export interface Clock {
  /** Milliseconds of a monotonic clock with an arbitrary zero; fractional. Ages and deadlines use it. */
  nowMs(): number;
  /** Milliseconds since the Unix epoch; for display and identifiers only, never compared between hosts. */
  wallMs(): number;
}

/** Stops a timer; calling it again does nothing. */
export type Cancel = () => void;

/** Runs something later. */
export interface Timers {
  /** Runs `run` once after `delayMs`. */
  after(delayMs: number, run: () => void): Cancel;
  /** Runs `run` every `periodMs` until cancelled; a run that takes longer than the period is not queued twice. */
  every(periodMs: number, run: () => void): Cancel;
}

/** Chance. */
export interface Rng {
  /** A number in [0, 1). */
  next(): number;
  /** `length` bytes fit for identifiers and salts. */
  bytes(length: number): Buffer;
}

export const systemClock: Clock = {
  nowMs: () => performance.now(),
  wallMs: () => Date.now(),
};

export const systemTimers: Timers = {
  after(delayMs, run) {
    const handle = setTimeout(run, delayMs);
    return () => clearTimeout(handle);
  },
  every(periodMs, run) {
    const handle = setInterval(run, periodMs);
    return () => clearInterval(handle);
  },
};

/** Drawn at once: a call for a few bytes costs as much as one for all of these. */
const DRAWN_BYTES = 4_096;
let drawn = Buffer.alloc(0);

export const systemRng: Rng = {
  next: () => Math.random(),
  bytes(length) {
    if (drawn.length < length) drawn = randomBytes(Math.max(length, DRAWN_BYTES));
    const bytes = drawn.subarray(0, length);
    drawn = drawn.subarray(length);
    return bytes;
  },
};

/** Lets everything else that is ready run; work in slices waits for it between them, so that it never holds up the event loop. */
export type YieldToLoop = () => Promise<void>;

export const systemYield: YieldToLoop = () =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Resolves after `delayMs` of the given timers. */
export function delay(timers: Timers, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    timers.after(delayMs, resolve);
  });
}
