// How much room is left on the data path? Asked once a second, never by a request.
import { type Cancel, type DiskFigures, readDiskFigures, type Timers } from '@weir/shared';

const ASK_EVERY_MS = 1_000;

export class DiskRoom {
  readonly #path: string;
  #figures: DiskFigures | undefined;
  #asking = false;
  #cancel: Cancel | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Resolves with the first answer known (or the first failure, which leaves the room unknown). */
  async start(timers: Timers): Promise<void> {
    await this.#ask();
    this.#cancel = timers.every(ASK_EVERY_MS, () => void this.#ask());
  }

  stop(): void {
    this.#cancel?.();
  }

  /** What was last known; undefined when the last question had no answer. */
  figures(): DiskFigures | undefined {
    return this.#figures;
  }

  /** A disk that hangs keeps one question open, not one a second. */
  async #ask(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    this.#figures = await readDiskFigures(this.#path).catch(() => undefined);
    this.#asking = false;
  }
}
