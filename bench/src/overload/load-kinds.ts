// What the load process is asked for, and what it found.

/** Small updates of large documents: cheap to carry, dear to execute. They go to the documents d0 … d(n-1) of the index `docs`. */
export type Updates = { readonly kind: 'updates'; readonly documents: number };

/** Bulks of real documents without ids. */
export type Bulks = { readonly kind: 'bulks'; readonly index: string; readonly documentsPerBulk: number };

export type LoadWindow = {
  readonly origin: string;
  readonly warmUpMs: number;
  readonly measureMs: number;
  /** An answer later than this after the intended time of sending is no use to its client. */
  readonly deadlineMs: number;
  readonly seed: number;
};

/** Closed: so many clients, each sends when it was answered. Open: Poisson arrivals, whatever becomes of the ones before. */
export type Load = LoadWindow & { readonly requests: Updates | Bulks } & (
    | { readonly kind: 'closed'; readonly concurrency: number }
    | { readonly kind: 'open'; readonly ratePerS: number }
  );

export type Spread = { readonly p50: number; readonly p99: number; readonly max: number };

/** Counts of the requests whose intended time lies in the measured window. */
export type LoadResult = {
  readonly measuredMs: number;
  readonly offered: number;
  /** Executed, and answered within the deadline. */
  readonly inTime: number;
  /** Executed, but answered too late. */
  readonly late: number;
  /** Neither answered nor refused when the run ended, a deadline after its last request. */
  readonly unanswered: number;
  readonly refused: number;
  /** Refusals by the reason they give; `unnamed` where they give none. */
  readonly refusedBy: Readonly<Record<string, number>>;
  /** From the start of the load, its warm-up included, to the first refusal; null where there was none. */
  readonly firstRefusalMs: number | null;
  /** Anything else. */
  readonly failed: number;
  /** From the intended time, of all that was not refused; what was never answered counts with the time it had waited. */
  readonly acceptedMs: Spread;
  readonly refusedMs: Spread;
  /** How late the load process itself was: actual minus intended time of sending. */
  readonly latenessMs: Spread;
  /** Share of a core that the load process used. */
  readonly cpuShare: number;
};
