// What was opened is closed in the opposite order, each part even when another one fails to close.

type Close = () => void | Promise<void>;

export class Closers {
  readonly #closes: Close[] = [];

  add(close: Close): void {
    this.#closes.push(close);
  }

  /** Closes everything, the newest first; rejects with the first failure once all have been tried. */
  async closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (let close = this.#closes.pop(); close !== undefined; close = this.#closes.pop()) {
      try {
        await close();
      } catch (thrown) {
        failures.push(thrown);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
