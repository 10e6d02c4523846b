// How long would work wait at the node's write pool behind what did not come from this agent?

/** What the pool tells of itself at one moment. */
export type PoolFigures = {
  readonly queue: number;
  readonly active: number;
  /** Tasks since the node started. */
  readonly completed: number;
};

/** Over which the rate is averaged, counted in time with a queue only. */
const RATE_TAU_MS = 5_000;

/**
 * A second opinion, for writes that do not come through Weir and for the parts of replicas. The pool is seen once a second: a burst at that moment
 * would refuse for all of it, so what was seen is believed only until it must be done, and longer only as far as the look before it saw it too.
 */
export class WritePool {
  #figures: PoolFigures | undefined;
  /** Tasks of others at the last look, and at the last two. */
  #others = 0;
  #lasting = 0;
  #atMs = 0;
  #progressMs = 0;
  #perMs: number | undefined;

  /** `own`: tasks that this agent has there, which it counts better itself. */
  observe(figures: PoolFigures, own: number, nowMs: number): void {
    const before = this.#figures;
    const elapsedMs = nowMs - this.#atMs;
    const others = figures.queue === 0 ? 0 : Math.max(0, figures.queue + figures.active - own);
    this.#lasting = Math.min(this.#others, others);
    this.#others = others;
    this.#figures = figures;
    this.#atMs = nowMs;
    const done = before === undefined ? -1 : figures.completed - before.completed;
    if (before === undefined || done < 0) this.#perMs = undefined;
    if (done !== 0 || figures.queue === 0) this.#progressMs = nowMs;
    // With no queue its rate is what the pool was given, not what it can do.
    if (before === undefined || done < 0 || elapsedMs <= 0 || before.queue === 0 || figures.queue === 0)
      return;
    const rate = done / elapsedMs;
    const kept = this.#perMs === undefined ? 0 : Math.exp(-elapsedMs / RATE_TAU_MS);
    this.#perMs = (this.#perMs ?? 0) * kept + rate * (1 - kept);
  }

  /** Nothing is known of the pool any more. */
  forget(): void {
    this.#figures = undefined;
    this.#others = 0;
    this.#perMs = undefined;
  }

  /** 0 while nothing waits or nothing is known; a pool that gets nothing done has waited as long as that. */
  delayMs(nowMs: number): number {
    if (this.#figures === undefined || this.#figures.queue === 0) return 0;
    const stuckMs = this.#atMs - this.#progressMs;
    const perMs = this.#perMs ?? 0;
    if (perMs === 0) return stuckMs;
    const left = Math.max(this.#lasting, this.#others - (nowMs - this.#atMs) * perMs);
    return Math.max(stuckMs, left / perMs);
  }
}
