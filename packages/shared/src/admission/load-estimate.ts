// How much work waits at a node now, given what it published a while ago and what has been sent there since?
import { delayMs } from './delay.ts';

/** Weight of the newest sample in the averages of this reader's and of the node's rates. */
const ALPHA = 0.2;
/** Admissions of prior: without it a reader that sees little of the traffic would scale up its own noise. */
const PRIOR_ADMISSIONS = 2;

/** What a node publishes of its load, the part that an estimate needs. */
export type LoadSample = {
  readonly work: number;
  readonly drain_per_s: number | null;
  readonly oldest_waiting_ms: number;
  readonly accepted_total: number;
};

/** Rates of work in units per second: what all coordinators send to the node, and what this one does. */
export type ArrivalRates = { readonly allPerS: number; readonly ownPerS: number };

/**
 * Work that arrived within `ageS` of the sample, by all coordinators: m × (n0 + own) ÷ (n0 ÷ r0 + age) × age with
 * m × r0 = allPerS, r0 = ownPerS (written without a division by it), and never less than one's own.
 */
export function arrivalsSince(rates: ArrivalRates, priorWork: number, own: number, ageS: number): number {
  const expectedOwn = priorWork + rates.ownPerS * ageS;
  if (expectedOwn <= 0) return own;
  return Math.max(own, ((rates.allPerS * (priorWork + own)) / expectedOwn) * ageS);
}

/** Work waiting now; an unknown drain rate leaves its term out. */
export function workNow(published: number, arrivals: number, drainPerS: number | null, ageS: number): number {
  return Math.max(0, published + arrivals - (drainPerS ?? 0) * ageS);
}

/** One reader's estimate for one node; compensates for the age of what it was told. */
export class LoadEstimate {
  #sample: LoadSample | undefined;
  #atMs = 0;
  #own = 0;
  #workPerAdmission = 1;
  #ownPerS = 0;
  #nodePerS = 0;
  #hasRates = false;

  /** Takes in a new sample, by the reader's own clock. */
  apply(sample: LoadSample, nowMs: number): void {
    const before = this.#sample;
    const elapsedS = (nowMs - this.#atMs) / 1_000;
    if (before !== undefined && elapsedS > 0) {
      const accepted = Math.max(0, sample.accepted_total - before.accepted_total);
      this.#learnRates(accepted / elapsedS, this.#own / elapsedS);
    }
    this.#sample = sample;
    this.#atMs = nowMs;
    this.#own = 0;
  }

  /** This reader admits work there. */
  noteAdmitted(work: number): void {
    this.#own += work;
    this.#workPerAdmission += (work - this.#workPerAdmission) * ALPHA;
  }

  /** What was admitted there came back refused: it never arrived. */
  noteRefused(work: number): void {
    this.#own = Math.max(0, this.#own - work);
  }

  /** The node started anew: its counters, and all that was learnt from them, begin again. */
  reset(): void {
    this.#sample = undefined;
    this.#own = 0;
    this.#ownPerS = 0;
    this.#nodePerS = 0;
    this.#hasRates = false;
  }

  /** Work the node published. */
  get published(): number {
    return this.#sample?.work ?? 0;
  }

  /** What all coordinators send per unit of this reader's own; at least 1. */
  get scale(): number {
    return this.#ownPerS > 0 ? Math.max(1, this.#nodePerS / this.#ownPerS) : 1;
  }

  /** Work that arrived since the sample. */
  arrivals(nowMs: number): number {
    const rates = { allPerS: Math.max(this.#nodePerS, this.#ownPerS), ownPerS: this.#ownPerS };
    return arrivalsSince(rates, PRIOR_ADMISSIONS * this.#workPerAdmission, this.#own, this.#ageS(nowMs));
  }

  /** Work the node has drained since the sample if it was never idle. */
  drained(nowMs: number): number {
    return (this.#sample?.drain_per_s ?? 0) * this.#ageS(nowMs);
  }

  /** Milliseconds of work waiting now; undefined before the first sample. */
  delayMs(nowMs: number): number | undefined {
    if (this.#sample === undefined) return undefined;
    const { work, drain_per_s: drainPerS, oldest_waiting_ms: oldestMs } = this.#sample;
    const ageS = this.#ageS(nowMs);
    const arrivals = this.arrivals(nowMs);
    const waiting = workNow(work, arrivals, drainPerS, ageS);
    // What waited longest when it was published has drained since like everything else.
    const oldest = Math.max(0, oldestMs + delayMs(arrivals, drainPerS, 0) - ageS * 1_000);
    return delayMs(waiting, drainPerS, oldest);
  }

  #learnRates(nodePerS: number, ownPerS: number): void {
    const weight = this.#hasRates ? ALPHA : 1;
    this.#nodePerS += (nodePerS - this.#nodePerS) * weight;
    this.#ownPerS += (ownPerS - this.#ownPerS) * weight;
    this.#hasRates = true;
  }

  #ageS(nowMs: number): number {
    return Math.max(0, nowMs - this.#atMs) / 1_000;
  }
}
