// Writes refusals to the log at a bounded rate: a few lines a second per reason and node, the rest as one line with exact totals.
import type { Cancel, Timers } from './clock.ts';
import type { RefusalRecord } from './refusal-record.ts';

/** The part of a logger that refusals need; pino's has this form. */
export type RefusalLogger = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
};

/** Constant messages, to search and alert by. */
export const REFUSAL_MESSAGES = {
  refuse: 'shard request refused',
  would_refuse: 'shard request would be refused',
  summed: 'shard requests refused without a line of their own',
} as const;

const WINDOW_MS = 1_000;

type Totals = { requests: number; operations: number; bytes: number };

export class BoundedRefusalLog {
  readonly #log: RefusalLogger;
  readonly #timers: Timers;
  readonly #linesPerSecond: () => number;
  /** Lines written in this window by verdict, reason and node; bounded by the size of the cluster and emptied each second. */
  readonly #written = new Map<string, number>();
  /** What had no line of its own in this window, by verdict and reason. */
  readonly #summed = { refuse: new Map<string, Totals>(), would_refuse: new Map<string, Totals>() };
  #cancelWindow: Cancel | undefined;

  /** `linesPerSecond` is read at every refusal, so that a changed setting holds at once. */
  constructor(log: RefusalLogger, timers: Timers, linesPerSecond: () => number) {
    this.#log = log;
    this.#timers = timers;
    this.#linesPerSecond = linesPerSecond;
  }

  write(record: RefusalRecord): void {
    this.#cancelWindow ??= this.#timers.after(WINDOW_MS, () => this.flush());
    const key = `${record.verdict} ${record.reason} ${record.node}`;
    const written = this.#written.get(key) ?? 0;
    if (written >= this.#linesPerSecond()) {
      this.#sum(record);
      return;
    }
    this.#written.set(key, written + 1);
    if (record.verdict === 'refuse') this.#log.warn(record, REFUSAL_MESSAGES.refuse);
    else this.#log.info(record, REFUSAL_MESSAGES.would_refuse);
  }

  /** Ends the window: writes the totals of what was left out, if anything was. Called by a timer, and once at the end of the process. */
  flush(): void {
    this.#cancelWindow?.();
    this.#cancelWindow = undefined;
    this.#written.clear();
    const refused = totalsOf(this.#summed.refuse);
    const wouldRefuse = totalsOf(this.#summed.would_refuse);
    this.#summed.refuse.clear();
    this.#summed.would_refuse.clear();
    if (refused.requests > 0)
      this.#log.warn({ refused, ...optional('would_refuse', wouldRefuse) }, REFUSAL_MESSAGES.summed);
    else if (wouldRefuse.requests > 0) this.#log.info({ would_refuse: wouldRefuse }, REFUSAL_MESSAGES.summed);
  }

  #sum(record: RefusalRecord): void {
    const byReason = this.#summed[record.verdict];
    const totals = byReason.get(record.reason) ?? { requests: 0, operations: 0, bytes: 0 };
    totals.requests += 1;
    totals.operations += record.operations;
    totals.bytes += record.bytes;
    byReason.set(record.reason, totals);
  }
}

type Summed = Totals & { readonly requests_by_reason: Readonly<Record<string, number>> };

function totalsOf(byReason: ReadonlyMap<string, Totals>): Summed {
  const sum = { requests: 0, operations: 0, bytes: 0 };
  const requestsByReason: Record<string, number> = {};
  for (const [reason, totals] of byReason) {
    sum.requests += totals.requests;
    sum.operations += totals.operations;
    sum.bytes += totals.bytes;
    requestsByReason[reason] = totals.requests;
  }
  return { ...sum, requests_by_reason: requestsByReason };
}

function optional(name: string, totals: Summed): Record<string, Summed> {
  return totals.requests > 0 ? { [name]: totals } : {};
}
