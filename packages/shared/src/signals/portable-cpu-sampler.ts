// How full are the host's cores on systems without /proc? systeminformation asks the system, too slowly for a sample of its own.
import { LONGEST_WINDOW_MS } from './counter-window.ts';
import { NO_WINDOW, type Sample, type Sampler } from './sampler.ts';

/** A reading takes milliseconds and may start child processes. */
const LEAST_INTERVAL_MS = 1_000;

/** Asks at most once a second, one question at a time, and hands each answer out once. */
export class PortableCpuSampler implements Sampler {
  readonly #read: () => Promise<number>;
  #answer: { readonly percent: number | undefined } | undefined;
  #askedMs: number | undefined;
  #asking = false;
  #closed = false;

  constructor(read: () => Promise<number> = currentLoadPercent) {
    this.#read = read;
  }

  sample(nowMs: number): Sample {
    const answer = this.#answer;
    this.#answer = undefined;
    if (
      !this.#closed &&
      !this.#asking &&
      nowMs - (this.#askedMs ?? Number.NEGATIVE_INFINITY) >= LEAST_INTERVAL_MS
    )
      this.#ask(nowMs);
    return answer === undefined ? NO_WINDOW : answer.percent;
  }

  close(): void {
    this.#closed = true;
  }

  /** The load is counted since the question before: the first answer, and one after a long pause, tell of another time. */
  #ask(nowMs: number): void {
    const fresh = this.#askedMs !== undefined && nowMs - this.#askedMs <= LONGEST_WINDOW_MS;
    this.#asking = true;
    this.#askedMs = nowMs;
    const done = (percent: number | undefined): void => {
      this.#asking = false;
      if (fresh) this.#answer = { percent };
    };
    this.#read().then(done, () => done(undefined));
  }
}

async function currentLoadPercent(): Promise<number> {
  const { currentLoad } = await import('systeminformation');
  return (await currentLoad()).currentLoad;
}
