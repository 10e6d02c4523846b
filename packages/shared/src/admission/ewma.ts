// How high has a reading been over about the last τ milliseconds, whatever the spacing of its samples?

/** A time-decayed average; what is not a finite number is not taken in, so a value is finite or unknown. */
export class Ewma {
  readonly #tauMs: number;
  #value: number | undefined;
  #atMs = 0;

  constructor(tauMs: number) {
    this.#tauMs = tauMs;
  }

  /** Takes in one reading; a clock that stands still or runs back gives it no weight. */
  observe(reading: number, nowMs: number): void {
    if (!Number.isFinite(reading)) return;
    if (this.#value === undefined) {
      this.#value = reading;
    } else {
      const elapsedMs = Math.max(0, nowMs - this.#atMs);
      this.#value += (reading - this.#value) * (1 - Math.exp(-elapsedMs / this.#tauMs));
    }
    this.#atMs = Math.max(this.#atMs, nowMs);
  }

  /** The average, or undefined before the first reading. */
  value(): number | undefined {
    return this.#value;
  }
}
