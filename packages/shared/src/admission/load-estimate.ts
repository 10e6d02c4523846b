// How much work waits at a node now, given what it published a while ago and what has been sent there since?
import { delayMs } from './delay.ts';

/** Weight of the newest sample in the averages of this reader's and of the node's rates. */
const ALPHA = 0.2;
/** Rates are learnt over at least this long; samples that come faster are counted together, or noise would be learnt. */
const LEARN_EVERY_MS = 500;
/**
 * Admissions of prior: without it a reader that sees little of the traffic would scale up its own noise. Counted in what
 * one admission weighs on average: with 50 readers and shard requests of 100 units, 2 units of prior let them refuse
 * 14.5 % of traffic that fits, 2 admissions 1.7 %.
 */
const PRIOR_ADMISSIONS = 2;

/** What a node publishes of its load, the part that an estimate needs. */
export type LoadSample = {
  readonly work: number;
  readonly drain_per_s: number | null;
  readonly oldest_waiting_ms: number;
  readonly accepted_total: number;
};

/**
 * Work that arrived within `ageS` of the sample, by all coordinators: m × (n0 + own) ÷ (n0 ÷ r0 + age) × age, and never
 * less than one's own. Written with m × r0 = `allPerS`, r0 = `ownPerS` and n0 = `prior`, so that nothing divides by r0.
 */
export function arrivalsSince(
  allPerS: number,
  ownPerS: number,
  prior: number,
  own: number,
  ageS: number,
): number {
  const expectedOwn = prior + ownPerS * ageS;
  if (expectedOwn <= 0) return own;
  return Math.max(own, ((allPerS * (prior + own)) / expectedOwn) * ageS);
}

/** Work waiting now; an unknown drain rate leaves its term out. */
export function workNow(published: number, arrivals: number, drainPerS: number | null, ageS: number): number {
  return Math.max(0, published + arrivals - (drainPerS ?? 0) * ageS);
}

/** One reader's estimate for one node; compensates for the age of what it was told. */
export class LoadEstimate {
  /** What the node said last, of which moment on this reader's clock, and the work sent there since. */
  #published = 0;
  #oldestMs = 0;
  #drainPerS: number | null = null;
  #atMs = 0;
  #own = 0;
  /** Counters between two samples, from which the rates are learnt. */
  #learntMs: number | undefined;
  #acceptedTotal = 0;
  #ownSinceLearnt = 0;
  #workPerAdmission = 1;
  #ownPerS = 0;
  #nodePerS = 0;
  #hasRates = false;

  /** Takes in a new sample, by the reader's own clock. */
  apply(sample: LoadSample, nowMs: number): void {
    this.#learnRates(sample.accepted_total, nowMs);
    this.#drainPerS = sample.drain_per_s;
    this.#restart(sample.work, sample.oldest_waiting_ms, nowMs);
  }

  /** The node has just said how long its work waits: newer than any sample. */
  correct(delayMs: number, nowMs: number): void {
    if (this.#learntMs === undefined || !Number.isFinite(delayMs)) return;
    this.#restart((delayMs / 1_000) * (this.#drainPerS ?? 0), delayMs, nowMs);
  }

  /** This reader admits work there. */
  noteAdmitted(work: number): void {
    this.#own += work;
    this.#ownSinceLearnt += work;
    this.#workPerAdmission += (work - this.#workPerAdmission) * ALPHA;
  }

  /** What was admitted there came back refused: it never arrived. */
  noteRefused(work: number): void {
    this.#own = Math.max(0, this.#own - work);
    this.#ownSinceLearnt = Math.max(0, this.#ownSinceLearnt - work);
  }

  /** The node started anew: its counters, and all that was learnt from them, begin again. */
  reset(): void {
    this.#restart(0, 0, 0);
    this.#drainPerS = null;
    this.#learntMs = undefined;
    this.#ownSinceLearnt = 0;
    this.#ownPerS = 0;
    this.#nodePerS = 0;
    this.#hasRates = false;
  }

  /** Work the node published. */
  get published(): number {
    return this.#published;
  }

  /** What all coordinators send per unit of this reader's own; at least 1. */
  get scale(): number {
    return this.#ownPerS > 0 ? Math.max(1, this.#nodePerS / this.#ownPerS) : 1;
  }

  /** Work that arrived since the node said so. */
  arrivals(nowMs: number): number {
    const allPerS = Math.max(this.#nodePerS, this.#ownPerS);
    const prior = PRIOR_ADMISSIONS * this.#workPerAdmission;
    return arrivalsSince(allPerS, this.#ownPerS, prior, this.#own, this.#ageS(nowMs));
  }

  /** Work the node has drained since if it was never idle. */
  drained(nowMs: number): number {
    return (this.#drainPerS ?? 0) * this.#ageS(nowMs);
  }

  /** Milliseconds of work waiting now; undefined before the first sample. */
  delayMs(nowMs: number): number | undefined {
    if (this.#learntMs === undefined) return undefined;
    const ageS = this.#ageS(nowMs);
    const arrivals = this.arrivals(nowMs);
    const waiting = workNow(this.#published, arrivals, this.#drainPerS, ageS);
    // What had waited longest then has drained since like everything else.
    const oldestMs = Math.max(0, this.#oldestMs + delayMs(arrivals, this.#drainPerS, 0) - ageS * 1_000);
    return delayMs(waiting, this.#drainPerS, oldestMs);
  }

  #restart(published: number, oldestMs: number, nowMs: number): void {
    this.#published = published;
    this.#oldestMs = oldestMs;
    this.#atMs = nowMs;
    this.#own = 0;
  }

  #learnRates(acceptedTotal: number, nowMs: number): void {
    if (this.#learntMs !== undefined) {
      const elapsedMs = nowMs - this.#learntMs;
      if (elapsedMs < LEARN_EVERY_MS) return;
      const weight = this.#hasRates ? ALPHA : 1;
      const nodePerS = (Math.max(0, acceptedTotal - this.#acceptedTotal) / elapsedMs) * 1_000;
      this.#nodePerS += (nodePerS - this.#nodePerS) * weight;
      this.#ownPerS += ((this.#ownSinceLearnt / elapsedMs) * 1_000 - this.#ownPerS) * weight;
      this.#hasRates = true;
    }
    this.#learntMs = nowMs;
    this.#acceptedTotal = acceptedTotal;
    this.#ownSinceLearnt = 0;
  }

  #ageS(nowMs: number): number {
    return Math.max(0, nowMs - this.#atMs) / 1_000;
  }
}
