// Counts what became of requests, by the time each was meant to be sent.
import { quantile, rounded } from '../support/figures.ts';
import type { LoadResult, LoadWindow, Spread } from './load-kinds.ts';

export type Sent = { readonly intendedMs: number; readonly sentMs: number };
export type Answer = { readonly kind: 'done' | 'refused' | 'failed'; readonly reason: string };

export class Outcomes {
  readonly #startMs: number;
  readonly #fromMs: number;
  readonly #untilMs: number;
  readonly #deadlineMs: number;
  readonly #open = new Set<Sent>();
  readonly #refusedBy: Record<string, number> = {};
  readonly #latenessMs: number[] = [];
  readonly #doneMs: number[] = [];
  readonly #refusedMs: number[] = [];
  #failed = 0;
  #firstRefusalMs: number | null = null;

  constructor(startMs: number, { warmUpMs, measureMs, deadlineMs }: LoadWindow) {
    this.#startMs = startMs;
    this.#fromMs = startMs + warmUpMs;
    this.#untilMs = this.#fromMs + measureMs;
    this.#deadlineMs = deadlineMs;
  }

  send(intendedMs: number, sentMs: number): Sent {
    const sent = { intendedMs, sentMs };
    if (!this.#counts(sent)) return sent;
    this.#open.add(sent);
    this.#latenessMs.push(sentMs - intendedMs);
    return sent;
  }

  answer(sent: Sent, { kind, reason }: Answer, nowMs: number): void {
    if (kind === 'refused') this.#firstRefusalMs ??= rounded(nowMs - this.#startMs);
    if (!this.#open.delete(sent)) return;
    const tookMs = nowMs - sent.intendedMs;
    if (kind === 'done') this.#doneMs.push(tookMs);
    else if (kind === 'failed') this.#failed += 1;
    else {
      this.#refusedMs.push(tookMs);
      this.#refusedBy[reason] = (this.#refusedBy[reason] ?? 0) + 1;
    }
  }

  result(nowMs: number, cpuShare: number): LoadResult {
    const waiting = [...this.#open].map(({ intendedMs }) => nowMs - intendedMs);
    const inTime = this.#doneMs.filter((ms) => ms <= this.#deadlineMs).length;
    return {
      measuredMs: this.#untilMs - this.#fromMs,
      offered: this.#latenessMs.length,
      inTime,
      late: this.#doneMs.length - inTime,
      unanswered: waiting.length,
      refused: this.#refusedMs.length,
      refusedBy: this.#refusedBy,
      firstRefusalMs: this.#firstRefusalMs,
      failed: this.#failed,
      acceptedMs: spread([...this.#doneMs, ...waiting]),
      refusedMs: spread(this.#refusedMs),
      latenessMs: spread(this.#latenessMs),
      cpuShare: rounded(cpuShare, 3),
    };
  }

  #counts({ intendedMs }: Sent): boolean {
    return intendedMs >= this.#fromMs && intendedMs < this.#untilMs;
  }
}

/** Zeros of no values. */
export function spread(values: readonly number[]): Spread {
  const of = (share: number): number => (values.length === 0 ? 0 : rounded(quantile(values, share), 1));
  return { p50: of(0.5), p99: of(0.99), max: of(1) };
}
