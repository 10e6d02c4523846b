// Which warnings are worth a line: the first of its kind in a period; the rest are counted and told with the next one.
import type { Clock } from './clock.ts';

/** The part of a logger that warnings need; a pino logger is one. */
export type WarningLog = {
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
};

type Kind = { untilMs: number; leftOut: number };

const PERIOD_MS = 10_000;
/** Kinds can carry names from outside: past this many all are forgotten rather than remembered for ever. */
const MAX_KINDS = 1_000;

/** Writes at most one warning per kind and period. */
export class BoundedWarnings {
  readonly #log: WarningLog;
  readonly #clock: Clock;
  readonly #kinds = new Map<string, Kind>();

  constructor(log: WarningLog, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  warn(kind: string, fields: Readonly<Record<string, unknown>>, message: string): void {
    const nowMs = this.#clock.nowMs();
    const seen = this.#kinds.get(kind);
    if (seen !== undefined && nowMs < seen.untilMs) {
      seen.leftOut += 1;
      return;
    }
    if (this.#kinds.size >= MAX_KINDS) this.#kinds.clear();
    this.#kinds.set(kind, { untilMs: nowMs + PERIOD_MS, leftOut: 0 });
    const leftOut = seen?.leftOut ?? 0;
    this.#log.warn(leftOut === 0 ? fields : { ...fields, left_out: leftOut }, message);
  }
}
