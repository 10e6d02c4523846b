// Gathers what waits under one name while a run for it is under way, so that it goes together with the next one.

type Waiting<T> = {
  readonly item: T;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
};

/** At most one run per name at a time; `run` returns for each item undefined or why it failed, and rejects when all of them failed. */
export class Batches<T> {
  readonly #run: (name: string, items: readonly T[]) => Promise<readonly (Error | undefined)[]>;
  readonly #waiting = new Map<string, Waiting<T>[]>();

  constructor(run: (name: string, items: readonly T[]) => Promise<readonly (Error | undefined)[]>) {
    this.#run = run;
  }

  /** Resolves when a run that held the item succeeded for it. */
  add(name: string, item: T): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(name);
      const own = { item, resolve, reject };
      if (waiting !== undefined) waiting.push(own);
      else {
        this.#waiting.set(name, []);
        void this.#runAll(name, [own]);
      }
    });
  }

  async #runAll(name: string, first: Waiting<T>[]): Promise<void> {
    for (let batch = first; batch.length > 0; batch = this.#waiting.get(name) ?? []) {
      this.#waiting.set(name, []);
      await this.#runOne(name, batch);
    }
    this.#waiting.delete(name);
  }

  async #runOne(name: string, batch: readonly Waiting<T>[]): Promise<void> {
    try {
      const failures = await this.#run(
        name,
        batch.map(({ item }) => item),
      );
      for (const [index, { resolve, reject }] of batch.entries()) {
        const failure = failures[index];
        if (failure === undefined) resolve();
        else reject(failure);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
