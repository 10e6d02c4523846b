// How do all sampled signals of this process stand? One tracker each, fed by whoever samples.
import type { SignalReadings } from '../admission/signal-readings.ts';
import { SAMPLED_SIGNALS, type SampledSignal } from './sampler.ts';
import { SignalTracker } from './signal-tracker.ts';

export class SignalTrackers {
  readonly #trackers: Readonly<Record<SampledSignal, SignalTracker>> = {
    cpu: new SignalTracker(),
    heap: new SignalTracker(),
    io: new SignalTracker(),
    event_loop: new SignalTracker(),
  };

  /** Takes in one sampler's answer; false when it was no reading. */
  observe(signal: SampledSignal, sample: unknown, nowMs: number): boolean {
    return this.#trackers[signal].observe(sample, nowMs);
  }

  /** The averages now; a signal that was never read is missing: unknown, never 0. */
  readings(nowMs: number): SignalReadings {
    const readings: { [signal in SampledSignal]?: SignalReadings[signal] } = {};
    for (const signal of SAMPLED_SIGNALS) {
      const reading = this.#trackers[signal].reading(nowMs);
      if (reading !== undefined) readings[signal] = reading;
    }
    return readings;
  }
}
