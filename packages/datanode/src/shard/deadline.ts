// Until when must this node have answered? A little before the sender stops listening, so that its answer still counts.
import type { Clock, Timers } from '@weir/shared';

/** Share of the sender's time kept for the way back, and the most it is worth. */
const MARGIN_SHARE = 0.1;
const MARGIN_MAX_MS = 500;

/** The moment on `clock` by which a request that came now with `timeoutMs` left has to be answered. */
export function answerBy(timeoutMs: number, clock: Clock): number {
  return clock.nowMs() + timeoutMs - Math.min(MARGIN_MAX_MS, timeoutMs * MARGIN_SHARE);
}

/** The result of `work`, or `late()` when the moment passes first. The work itself goes on: half done it could not be taken back. */
export function byThen<T>(
  work: Promise<T>,
  deadlineMs: number,
  ports: { readonly clock: Clock; readonly timers: Timers },
  late: () => T,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = ports.timers.after(Math.max(0, deadlineMs - ports.clock.nowMs()), () => resolve(late()));
    work.then(resolve, reject).finally(cancel);
  });
}
