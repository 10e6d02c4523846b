// How often a writer tries a compare-and-set that others keep winning, and how long it waits in between.
import { delay, type Rng, type Timers } from '../ops/clock.ts';
import { WeirError } from '../ops/errors.ts';

/** Losses after which a writer steps aside: until then it lost to a few others of the same moment. */
const AT_ONCE = 10;
const MAX_ATTEMPTS = 200;
const MAX_WAIT_MS = 20;

/**
 * Calls `attempt` until it returns a value; undefined means that another process was faster. A process that writes in a loop always has its next
 * write under way: only at a random moment, not at once, does another one get in between.
 */
export async function untilWon<T>(
  what: string,
  { timers, rng }: { readonly timers: Timers; readonly rng: Rng },
  attempt: () => Promise<T | undefined>,
): Promise<T> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    if (attempts >= AT_ONCE) await delay(timers, 1 + rng.next() * MAX_WAIT_MS);
    const won = await attempt();
    if (won !== undefined) return won;
  }
  throw new WeirError('unavailable', `${what} was changed by others ${MAX_ATTEMPTS} times meanwhile`);
}
