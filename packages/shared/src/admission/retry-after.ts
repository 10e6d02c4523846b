// How long should a refused client wait before it tries again?
import type { EffectiveSettings } from '../settings/effective-settings.ts';
import { clamp } from './ramp.ts';

/** Share by which waits are spread around their middle, so that clients refused together do not come back together. */
const SPREAD = 0.2;

/** Wait of a signal whose slow average falls: the time it needs to reach its leave limit at this slope. */
export function waitWhileFalling(value: number, leave: number, fallPerMs: number): number {
  return Math.max(0, value - leave) / fallPerMs;
}

/** Wait of a signal that does not fall: the minimum, doubled each time the time under stress has doubled. */
export function waitUnderStress(stressedForMs: number, minMs: number): number {
  const doublings = Math.floor(Math.log2(1 + Math.max(0, stressedForMs) / minMs));
  return minMs * 2 ** Math.min(doublings, 30);
}

/** The wait a client is told: within the bounds of the settings and spread ± 20 % by the digest of its request. */
export function retryAfterMs(waitMs: number, digest: number, settings: EffectiveSettings): number {
  const { minMs, maxMs } = settings.retryAfter;
  const known = Number.isNaN(waitMs) ? minMs : waitMs;
  // The middle is held so far inside the bounds that the spread ends at them instead of being cut off by them.
  const middle = clamp(known, minMs / (1 - SPREAD), Math.max(minMs / (1 - SPREAD), maxMs / (1 + SPREAD)));
  const spread = 1 - SPREAD + ((digest >>> 0) / 4_294_967_296) * 2 * SPREAD;
  return Math.round(clamp(middle * spread, minMs, maxMs));
}
