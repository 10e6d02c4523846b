// How long transient settings live: as long as one process that holds them runs, on whatever bus.
import type { Bus, Unsubscribe } from '../bus/bus.ts';
import { CHANNELS } from '../bus/bus.ts';
import { delay, type Timers } from '../ops/clock.ts';

/** After a restart of the bus the other processes need this long to be back on their channels. */
const RECONNECTED_MS = 1_500;

/**
 * Joins the processes that hold the transient settings. When there is none although the bus still has such settings, everything was stopped
 * since they were made: `drop` takes them away. They are never on a disk, so a bus without persistence forgets them by itself.
 */
export async function holdTransient(
  bus: Bus,
  timers: Timers,
  leftovers: () => boolean,
  drop: () => Promise<void>,
): Promise<Unsubscribe> {
  const alone = async (): Promise<boolean> => (await bus.countSubscribers(CHANNELS.transientHolders)) === 0;
  if (leftovers() && (await alone())) {
    await delay(timers, RECONNECTED_MS);
    if (leftovers() && (await alone())) await drop();
  }
  return bus.subscribe(CHANNELS.transientHolders, () => undefined);
}
