// How long will new work wait at a node? Work divided by its drain rate, or the age of the oldest that waits.

/** Milliseconds of work waiting. Without a drain rate the oldest waiting piece is all there is to go by. */
export function delayMs(work: number, drainPerS: number | null, oldestWaitingMs: number): number {
  const byRate = drainPerS !== null && drainPerS > 0 ? (work / drainPerS) * 1_000 : 0;
  return Math.max(byRate, oldestWaitingMs);
}
