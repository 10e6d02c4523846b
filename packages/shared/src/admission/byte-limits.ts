// At how many bytes in flight does a process refuse, by the settings and by its own heap?
import type { EffectiveSettings } from '../settings/effective-settings.ts';
import type { ByteLimits } from './indexing-pressure.ts';

/** Whatever the settings say: beyond half of the heap there is no room left to work on what is held. */
const MOST_OF_HEAP = 0.5;
/** Whatever the heap: below it not even one ordinary bulk would pass. */
const LEAST_BYTES = 1024 * 1024;

/** The limits in whole bytes for a process that dies at `heapLimitBytes`. */
export function byteLimits(settings: EffectiveSettings, heapLimitBytes: number): ByteLimits {
  const { limit, replicaFactor } = settings.indexingPressure;
  const asked = 'bytes' in limit ? limit.bytes : (heapLimitBytes * limit.percent) / 100;
  const primary = Math.floor(Math.min(Math.max(asked, LEAST_BYTES), heapLimitBytes * MOST_OF_HEAP));
  return { primary, replica: Math.floor(primary * replicaFactor) };
}
