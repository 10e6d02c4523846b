// How long did the newest commits take to reach the disk? A busy neighbour shows here long before the disk looks busy.

const KEPT = 32;

export class RecentCommits {
  readonly #durationsMs: number[] = [];

  add(durationMs: number): void {
    this.#durationsMs.push(durationMs);
    if (this.#durationsMs.length > KEPT) this.#durationsMs.shift();
  }

  /** Median of the newest ones; undefined before the first. */
  medianMs(): number | undefined {
    return [...this.#durationsMs].sort((a, b) => a - b)[this.#durationsMs.length >> 1];
  }
}
