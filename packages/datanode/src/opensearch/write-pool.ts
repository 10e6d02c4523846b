// How long would work wait at the node's write pool? A second opinion, for writes that do not come through Weir.

/** What the pool tells of itself at one moment. */
export type PoolFigures = {
  readonly queue: number;
  readonly active: number;
  /** Tasks since the node started. */
  readonly completed: number;
};

/** Over which the rate is averaged, counted in time with a queue only. */
const RATE_TAU_MS = 5_000;

/** Learns the pool's rate while tasks wait there: with no queue it is what the pool was given, not what it can do. */
export class WritePool {
  #figures: PoolFigures | undefined;
  #atMs = 0;
  #progressMs = 0;
  #perMs: number | undefined;

  observe(figures: PoolFigures, nowMs: number): void {
    const before = this.#figures;
    const elapsedMs = nowMs - this.#atMs;
    this.#figures = figures;
    this.#atMs = nowMs;
    const done = before === undefined ? -1 : figures.completed - before.completed;
    if (before === undefined || done < 0) this.#perMs = undefined;
    if (done !== 0 || figures.queue === 0) this.#progressMs = nowMs;
    if (before === undefined || done < 0 || elapsedMs <= 0 || before.queue === 0 || figures.queue === 0)
      return;
    const rate = done / elapsedMs;
    const kept = this.#perMs === undefined ? 0 : Math.exp(-elapsedMs / RATE_TAU_MS);
    this.#perMs = (this.#perMs ?? 0) * kept + rate * (1 - kept);
  }

  /** Nothing is known of the pool any more. */
  forget(): void {
    this.#figures = undefined;
    this.#perMs = undefined;
  }

  /** 0 while nothing waits or nothing is known; a pool that gets nothing done has waited as long as that. */
  delayMs(): number {
    if (this.#figures === undefined || this.#figures.queue === 0) return 0;
    const { queue, active } = this.#figures;
    const stuckMs = this.#atMs - this.#progressMs;
    return Math.max(
      stuckMs,
      this.#perMs === undefined || this.#perMs === 0 ? 0 : (queue + active) / this.#perMs,
    );
  }
}
