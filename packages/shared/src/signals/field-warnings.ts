// Where samplers complain, and how often: one line per field and minute, because a broken source fails at every sample.
import type { Clock } from '../ops/clock.ts';
import type { ErrorFields } from '../ops/errors.ts';
import { OncePerPeriod } from '../ops/once-per-period.ts';

/** Takes one line with its facts, as a logger does. */
export type Warn = (message: string, fields: ErrorFields) => void;

const QUIET_MS = 60_000;

/** Lets one warning per field and minute through. */
export class FieldWarnings {
  readonly #warn: Warn;
  readonly #clock: Clock;
  readonly #said = new OncePerPeriod(QUIET_MS);

  constructor(warn: Warn, clock: Clock) {
    this.#warn = warn;
    this.#clock = clock;
  }

  /** `field` names what is wrong and comes from the code, never from input. */
  warn(field: string, message: string, fields: ErrorFields = {}): void {
    if (this.#said.next(field, this.#clock.nowMs()) !== undefined) this.#warn(message, { field, ...fields });
  }
}
