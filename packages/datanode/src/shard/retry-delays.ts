// How long to wait before a replica is tried again: random below a bound that doubles, so that primaries do not come back in step.
import type { Rng } from '@weir/shared';

const FIRST_BOUND_MS = 50;
/** Beyond it waiting longer spares the replica nothing and only keeps the client waiting. */
const LAST_BOUND_MS = 5_000;

/** The wait after try number `attempt` (from 0): a whole number in [1, 50], then [1, 100], [1, 200] and so on. */
export function retryDelayMs(attempt: number, rng: Rng): number {
  const boundMs = Math.min(FIRST_BOUND_MS * 2 ** attempt, LAST_BOUND_MS);
  return 1 + Math.floor(rng.next() * boundMs);
}
