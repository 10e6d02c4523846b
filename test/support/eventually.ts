// Waits for something other processes bring about, with a bound.
import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves as soon as `condition` holds; rejects after `limitMs`, naming the condition's source. Returns the ms it took. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  limitMs = 5_000,
): Promise<number> {
  const startMs = performance.now();
  while (!(await condition())) {
    if (performance.now() - startMs > limitMs) throw new Error(`not within ${limitMs} ms: ${condition}`);
    await sleep(5);
  }
  return performance.now() - startMs;
}
