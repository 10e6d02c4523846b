// The real ports a bus over Redis needs in a test, with its warnings kept for a look.
import { type RedisPorts, systemClock, systemRng, systemTimers } from '@weir/shared';

export type RecordedWarnings = RedisPorts['log'] & {
  readonly lines: Readonly<Record<string, unknown>>[];
};

/** A log that only remembers. */
export function recordedWarnings(): RecordedWarnings {
  const lines: Readonly<Record<string, unknown>>[] = [];
  return { lines, warn: (fields, message) => lines.push({ ...fields, message }) };
}

export function redisPorts(log: RedisPorts['log']): RedisPorts {
  return { clock: systemClock, timers: systemTimers, rng: systemRng, log };
}
