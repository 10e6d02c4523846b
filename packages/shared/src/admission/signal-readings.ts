// What do the averages of a node's signals say: how high, and is the slow one falling?
import { type Quality, SIGNALS, type SignalName } from './signals.ts';

/** One averaged signal as sampled or as published. */
export type SignalReading = { readonly fast: number; readonly slow: number; readonly quality: Quality };

/** The averaged signals of one node at one moment; a missing one is unknown. The queue is never averaged. */
export type SignalReadings = {
  readonly [signal in Exclude<SignalName, 'queue'>]?: SignalReading | undefined;
};

/**
 * An unchanged average is the same sample read again: answers bring readings every 100 ms, samples are 500 ms apart. One that stays unchanged
 * for two samples stands still.
 */
const SAME_SAMPLE_MS = 1_000;

/** A slow average, when it came to be this high, and how fast it fell on the way there. */
type Fall = { readonly slow: number; readonly sinceMs: number; readonly perMs: number };

/** Keeps the newest readings, and how fast each slow average falls from sample to sample. */
export class AveragedReadings {
  #readings: SignalReadings = {};
  readonly #falls = new Map<SignalName, Fall>();

  observe(readings: SignalReadings, nowMs: number): void {
    this.#readings = readings;
    for (const signal of SIGNALS) this.#follow(signal, usable(readings, signal)?.slow, nowMs);
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
    return this.#falls.get(signal)?.perMs ?? 0;
  }

  #follow(signal: SignalName, slow: number | undefined, nowMs: number): void {
    if (slow === undefined) {
      this.#falls.delete(signal);
      return;
    }
    const before = this.#falls.get(signal);
    const elapsedMs = before === undefined ? 0 : nowMs - before.sinceMs;
    if (slow === before?.slow && elapsedMs < SAME_SAMPLE_MS) return;
    const perMs = before === undefined || elapsedMs <= 0 ? 0 : Math.max(0, before.slow - slow) / elapsedMs;
    this.#falls.set(signal, { slow, sinceMs: nowMs, perMs });
  }
}

function usable(readings: SignalReadings, signal: SignalName): SignalReading | undefined {
  const reading = signal === 'queue' ? undefined : readings[signal];
  if (reading === undefined || reading.quality !== 'ok') return undefined;
  return Number.isFinite(reading.fast) && Number.isFinite(reading.slow) ? reading : undefined;
}
