// Is a busy node also a node with work waiting? Only then do its cpu, io and event loop count.
import type { EffectiveSettings, Limit } from '../settings/effective-settings.ts';
import { limitOf } from '../settings/effective-settings.ts';
import { shareBetween } from './ramp.ts';
import type { Role, SignalName } from './signals.ts';

/** Share of the queue's soft limit below which waiting work is no sign of trouble. */
export const STEERED_FROM = 0.75;

/** Heap is not weighed: memory gives no warning by queueing. The queue would be weighed by itself. */
export function isWeighed(signal: SignalName): boolean {
  return signal === 'cpu' || signal === 'io' || signal === 'event_loop';
}

/** How much the weighed signals count, in [0, 1]; a delay nobody knows corroborates nothing. */
export function corroborationWeight(delayMs: number | undefined, queue: Limit): number {
  if (delayMs === undefined || !Number.isFinite(delayMs)) return 0;
  return shareBetween(delayMs, STEERED_FROM * queue.soft, queue.hard);
}

/** The queue limits a role's signals are weighed with; a coordinator has none of its own and uses a primary's. */
export function weighingLimit(settings: EffectiveSettings, role: Role): Limit | undefined {
  return limitOf(settings, 'queue', role) ?? limitOf(settings, 'queue', 'primary');
}
