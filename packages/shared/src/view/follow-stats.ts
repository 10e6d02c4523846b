// How does a view hear of the nodes? By the feed of samples, and by the snapshot at start and after trouble.
import { type Bus, CHANNELS, SNAPSHOTS, type Unsubscribe } from '../bus/bus.ts';
import type { Clock, Rng, Timers } from '../ops/clock.ts';
import { OncePerPeriod } from '../ops/once-per-period.ts';
import type { EffectiveSettings } from '../settings/effective-settings.ts';
import type { ClusterView } from './cluster-view.ts';
import { readStats } from './read-stats.ts';

/** How often a follower looks whether it still hears anything. */
const CHECK_MS = 2_000;
const WARN_EVERY_MS = 60_000;

export type FollowStatsDeps = {
  readonly bus: Bus;
  readonly view: ClusterView;
  readonly settings: () => EffectiveSettings;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly rng: Rng;
  /** Told of what could not be read: at most once a minute for each key. */
  readonly warn: (message: string, fields: Readonly<Record<string, string>>) => void;
};

/** Follows until stopped. Resolves once subscribed; never rejects for a bus that is down or full of foreign values. */
export async function followStats(deps: FollowStatsDeps): Promise<Unsubscribe> {
  const follower = new StatsFollower(deps);
  const unsubscribe = await deps.bus.subscribe(CHANNELS.stats, (message) => follower.hear(message));
  await follower.readSnapshot();
  // Followers look at different moments, so that a cluster's readers never ask the bus all at once.
  const cancel = deps.timers.every(CHECK_MS * (0.9 + 0.2 * deps.rng.next()), () => follower.check());
  return async () => {
    cancel();
    await unsubscribe();
  };
}

/** Puts what is heard into the view, and remembers whether anything is. */
class StatsFollower {
  readonly #deps: FollowStatsDeps;
  readonly #warned = new OncePerPeriod(WARN_EVERY_MS);
  #heardMs: number;
  #troubled = false;

  constructor(deps: FollowStatsDeps) {
    this.#deps = deps;
    this.#heardMs = deps.clock.nowMs();
  }

  hear(message: string): void {
    const nowMs = this.#deps.clock.nowMs();
    const read = readStats(message);
    if (!read.ok) {
      this.#warn(CHANNELS.stats, read.problem);
      return;
    }
    this.#heardMs = nowMs;
    this.#deps.view.apply(read.stats, nowMs);
  }

  /** Reads the snapshot while nothing is heard, and once more when the trouble is over. */
  check(): void {
    const { bus, clock, settings } = this.#deps;
    const silent = clock.nowMs() - this.#heardMs > settings().admission.statsTtlMs;
    const troubled = silent || !bus.isUp();
    if (troubled || this.#troubled) void this.readSnapshot();
    this.#troubled = troubled;
  }

  /** An entry of the snapshot has no known age: it gives a node's identity and address, never evidence. */
  async readSnapshot(): Promise<void> {
    const { bus, clock, view } = this.#deps;
    try {
      for (const [key, text] of await bus.readSnapshot(SNAPSHOTS.nodes)) {
        const read = readStats(text);
        if (read.ok) view.introduce(read.stats, clock.nowMs());
        else this.#warn(`${SNAPSHOTS.nodes}/${key}`, read.problem);
      }
    } catch (thrown) {
      this.#warn(SNAPSHOTS.nodes, thrown instanceof Error ? thrown.message : String(thrown));
    }
  }

  #warn(key: string, problem: string): void {
    if (this.#warned.next(key, this.#deps.clock.nowMs()) !== undefined) {
      this.#deps.warn('node stats could not be read and are ignored', { key, problem });
    }
  }
}
