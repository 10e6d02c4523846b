// Gives a bus back what it has lost of a table: entries it lacks, has older, or has in a value that must not stand.
import type { Bus, Entry } from './bus.ts';

/** Puts back entries the bus lacks or has older; tells how many it took. */
export async function giveBack(
  bus: Bus,
  table: string,
  lost: readonly (readonly [string, Entry])[],
): Promise<number> {
  let restored = 0;
  for (const [key, entry] of lost) if (await bus.restore(table, key, entry)) restored += 1;
  return restored;
}

/** Writes entries over those of the same version that they outrank; tells how many it took. */
export async function overwrite(
  bus: Bus,
  table: string,
  outranking: readonly (readonly [string, Entry])[],
): Promise<number> {
  let written = 0;
  for (const [key, { version, value }] of outranking) {
    const { done } = await bus.compareAndSet(table, [{ key, expectedVersion: version, value }]);
    if (done) written += 1;
  }
  return written;
}
