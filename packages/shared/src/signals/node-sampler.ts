// Samples this process and its host on a timer of its own, so that no request and no publishing period ever makes it read more often.
import type { SignalReadings } from '../admission/signal-readings.ts';
import type { Cancel, Clock, Timers } from '../ops/clock.ts';
import { LEAST_WINDOW_MS } from './counter-window.ts';
import type { FieldWarnings } from './field-warnings.ts';
import { SAMPLED_SIGNALS, type SampledSignal, type Samplers } from './sampler.ts';
import { SignalTrackers } from './signal-trackers.ts';

/**
 * Twice a second: four samples in the fast average's 2 s, and the least window a derived reading is worth anything over. The 10 ms more
 * keep a timer that fires early by a rounding from costing every other sample.
 */
export const SAMPLE_INTERVAL_MS = LEAST_WINDOW_MS + 10;

type HostSamplerOptions = {
  readonly samplers: Samplers;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly warnings: FieldWarnings;
};

/** The one unit that reads the operating system; everyone else asks it for the averages. */
export class HostSampler {
  readonly #samplers: Samplers;
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #warnings: FieldWarnings;
  readonly #trackers = new SignalTrackers();
  #cancel: Cancel | undefined;
  #sampledMs = Number.NEGATIVE_INFINITY;

  constructor({ samplers, clock, timers, warnings }: HostSamplerOptions) {
    this.#samplers = samplers;
    this.#clock = clock;
    this.#timers = timers;
    this.#warnings = warnings;
  }

  /** Takes the first sample and one per interval from then on; `afterSample` runs after each. */
  start(afterSample: () => void = () => {}): void {
    const run = (): void => {
      if (this.sampleNow()) afterSample();
    };
    this.#cancel?.();
    this.#cancel = this.#timers.every(SAMPLE_INTERVAL_MS, run);
    run();
  }

  /** Ends sampling and gives back all descriptors. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    for (const signal of SAMPLED_SIGNALS) this.#samplers[signal]?.close();
  }

  /** Takes a sample unless the last one is too recent to learn anything new; says whether it did. */
  sampleNow(): boolean {
    const nowMs = this.#clock.nowMs();
    if (nowMs - this.#sampledMs < LEAST_WINDOW_MS) return false;
    this.#sampledMs = nowMs;
    for (const signal of SAMPLED_SIGNALS) this.#sample(signal, nowMs);
    return true;
  }

  /** The averaged signals; costs no look at the system. */
  readings(): SignalReadings {
    return this.#trackers.readings(this.#clock.nowMs());
  }

  #sample(signal: SampledSignal, nowMs: number): void {
    const sampler = this.#samplers[signal];
    if (sampler === undefined) return;
    const sample = valueOrThrown(() => sampler.sample(nowMs));
    if (this.#trackers.observe(signal, sample, nowMs)) return;
    this.#warnings.warn(signal, 'a signal cannot be read and counts as unknown', { value: shown(sample) });
  }
}

function valueOrThrown(read: () => unknown): unknown {
  try {
    return read();
  } catch (thrown) {
    return thrown;
  }
}

/** What a source answered instead of a number, short enough for a line. */
function shown(value: unknown): string {
  return (typeof value === 'string' ? JSON.stringify(value) : String(value)).slice(0, 200);
}
