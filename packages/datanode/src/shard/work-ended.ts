// Waits until no work holds bytes any more, or until time is up.
import { type Clock, delay, type IndexingPressure, type Timers } from '@weir/shared';

const LOOK_EVERY_MS = 10;

/** Resolves when the bytes in flight are 0, or at the deadline. */
export async function workEnded(
  pressure: IndexingPressure,
  deadlineMs: number,
  { clock, timers }: { readonly clock: Clock; readonly timers: Timers },
): Promise<void> {
  const heldBytes = (): number => {
    const { primary, replica } = pressure.report().currentBytes;
    return primary + replica;
  };
  while (heldBytes() > 0 && clock.nowMs() < deadlineMs) await delay(timers, LOOK_EVERY_MS);
}
