// Waits on a timer, but no longer than until a signal is aborted.
import type { Timers } from '@weir/shared';

/** Resolves after `waitMs`, or at once when `until` is aborted; never rejects. */
export function pause(waitMs: number, timers: Timers, until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (until.aborted) {
      resolve();
      return;
    }
    const end = (): void => {
      cancel();
      until.removeEventListener('abort', end);
      resolve();
    };
    const cancel = timers.after(waitMs, end);
    until.addEventListener('abort', end, { once: true });
  });
}
