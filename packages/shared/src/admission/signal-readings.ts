// What do the averages of a node's signals say: how high, and is the slow one falling?
import type { Quality, SignalName } from './signals.ts';

/** One averaged signal as sampled or as published. */
export type SignalReading = { readonly fast: number; readonly slow: number; readonly quality: Quality };

/** The averaged signals of one node at one moment; a missing one is unknown. The queue is never averaged. */
export type SignalReadings = {
  readonly [signal in Exclude<SignalName, 'queue'>]?: SignalReading | undefined;
};

/** Keeps the newest readings, and the fall of each slow average since the ones before. */
export class AveragedReadings {
  #readings: SignalReadings = {};
  #previous: SignalReadings = {};
  #elapsedMs = 0;
  #atMs = 0;

  observe(readings: SignalReadings, nowMs: number): void {
    this.#previous = this.#readings;
    this.#readings = readings;
    this.#elapsedMs = nowMs - this.#atMs;
    this.#atMs = nowMs;
  }

  /** Quick to rise, slow to fall: the larger average; undefined where the signal is unknown. */
  value(signal: SignalName): number | undefined {
    const reading = usable(this.#readings, signal);
    return reading === undefined ? undefined : Math.max(reading.fast, reading.slow);
  }

  quality(signal: SignalName): Quality {
    return (signal === 'queue' ? undefined : this.#readings[signal])?.quality ?? 'unavailable';
  }

  /** How fast the slow average falls, in points per ms; 0 when it does not, or when that is unknown. */
  fallPerMs(signal: SignalName): number {
    const now = usable(this.#readings, signal);
    const before = usable(this.#previous, signal);
    if (now === undefined || before === undefined || this.#elapsedMs <= 0) return 0;
    return Math.max(0, before.slow - now.slow) / this.#elapsedMs;
  }
}

function usable(readings: SignalReadings, signal: SignalName): SignalReading | undefined {
  const reading = signal === 'queue' ? undefined : readings[signal];
  if (reading === undefined || reading.quality !== 'ok') return undefined;
  return Number.isFinite(reading.fast) && Number.isFinite(reading.slow) ? reading : undefined;
}
