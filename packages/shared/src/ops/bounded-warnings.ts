// Which warnings are worth a line: the first of its kind in a period; the rest are counted and told with the next one.
import type { Clock } from './clock.ts';
import { OncePerPeriod } from './once-per-period.ts';

/** The part of a logger that warnings need; a pino logger is one. */
export type WarningLog = {
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
};

const PERIOD_MS = 10_000;

/** Writes at most one warning per kind and period. */
export class BoundedWarnings {
  readonly #log: WarningLog;
  readonly #clock: Clock;
  readonly #kinds = new OncePerPeriod(PERIOD_MS);

  constructor(log: WarningLog, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  warn(kind: string, fields: Readonly<Record<string, unknown>>, message: string): void {
    const leftOut = this.#kinds.next(kind, this.#clock.nowMs());
    if (leftOut === undefined) return;
    this.#log.warn(leftOut === 0 ? fields : { ...fields, left_out: leftOut }, message);
  }
}
