// The port to one source of a signal, and what it may answer.

/** The sampler has nothing new to say: no window has passed yet, or the one that passed told nothing. */
export const NO_WINDOW = 'no_window';
export type NoWindow = typeof NO_WINDOW;

/** A reading in percent, nothing new, or undefined: the source failed. */
export type Sample = number | NoWindow | undefined;

/** Reads one signal; called once per sampling interval, never by a request. */
export interface Sampler {
  /** Answers at once. Whatever is neither a finite number nor NO_WINDOW counts as a failed source; so does a throw. */
  sample(nowMs: number): Sample;
  /** Gives back descriptors and observers. */
  close(): void;
}

/** Signals that are sampled and averaged; the queue is counted exactly instead. */
export const SAMPLED_SIGNALS = ['cpu', 'heap', 'io', 'event_loop'] as const;
export type SampledSignal = (typeof SAMPLED_SIGNALS)[number];

/** The samplers of one process; a signal without one is unknown. */
export type Samplers = { readonly [signal in SampledSignal]?: Sampler | undefined };

/** The fullest of several readings of one thing; sources that failed are left out while another one answers. */
export function fullest(samples: readonly Sample[]): Sample {
  const known = samples.filter((sample) => sample !== undefined);
  if (known.length === 0) return undefined;
  const percents = known.filter((sample) => sample !== NO_WINDOW);
  return percents.length < known.length ? NO_WINDOW : Math.max(...percents);
}
