// May this be said again already? Keeps warnings about the same thing apart.

/** Keys remembered at most; foreign keys must not fill the memory. */
const MAX_KEYS = 1_000;

export class OncePerPeriod {
  readonly #periodMs: number;
  readonly #saidMs = new Map<string, number>();

  constructor(periodMs: number) {
    this.#periodMs = periodMs;
  }

  /** True at most once a period for each key. */
  allows(key: string, nowMs: number): boolean {
    const saidMs = this.#saidMs.get(key);
    if (saidMs !== undefined && nowMs - saidMs < this.#periodMs) return false;
    if (saidMs === undefined && this.#saidMs.size >= MAX_KEYS) this.#saidMs.clear();
    this.#saidMs.set(key, nowMs);
    return true;
  }
}
