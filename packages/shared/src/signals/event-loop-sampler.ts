// How full is this process's event loop? One core is all it has, however idle the host looks.
import { performance } from 'node:perf_hooks';
import { CounterWindow } from './counter-window.ts';
import type { Sample, Sampler } from './sampler.ts';

/** Time the loop ran code and time it waited, in ms since its start. */
export type LoopTimes = { readonly active: number; readonly idle: number };

export class EventLoopSampler implements Sampler {
  readonly #read: () => LoopTimes;
  readonly #window = new CounterWindow();

  constructor(read: () => LoopTimes = () => performance.eventLoopUtilization()) {
    this.#read = read;
  }

  sample(nowMs: number): Sample {
    const { active, idle } = this.#read();
    return this.#window.observe(active, active + idle, nowMs);
  }

  close(): void {}
}
