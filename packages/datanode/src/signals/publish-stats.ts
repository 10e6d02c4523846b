// How do others learn how this node is? A beat every interval, and one at once when its state changes; never two at a time.
import {
  type Bus,
  type Cancel,
  CHANNELS,
  type Clock,
  type NodeStats,
  type Rng,
  SNAPSHOTS,
  type Timers,
} from '@weir/shared';

/** How a beat ended; each one ends in exactly one of these. */
export type Beat =
  | { readonly outcome: 'published'; readonly seq: number }
  | {
      readonly outcome: 'failed';
      readonly seq: number;
      readonly part: 'feed' | 'snapshot';
      readonly cause: unknown;
    }
  | { readonly outcome: 'timed_out'; readonly seq: number };

export type StatsPublisherPorts = {
  readonly bus: Pick<Bus, 'publish' | 'putSnapshot'>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly rng: Rng;
  /** weir.stats.interval as it is now. */
  readonly intervalMs: () => number;
  /** A new reading. */
  readonly take: () => NodeStats;
  /** Told of every beat, for the log and the metrics. */
  readonly onBeat: (beat: Beat) => void;
};

/** A backstop: the bus itself gives up long before. A beat that hangs on ends here and the next one may begin. */
const BEAT_TIMEOUT_MS = 2_000;
/** Nodes that started together must not beat together for ever: ± 10 %. */
const JITTER = 0.1;

export class StatsPublisher {
  readonly #ports: StatsPublisherPorts;
  #cancel: Cancel | undefined;
  #beatMs = 0;
  #scheduledMs = 0;
  #beating: Promise<void> | undefined;
  /** A change came while a beat was under way: one more follows it, however many changes there were. */
  #again = false;

  constructor(ports: StatsPublisherPorts) {
    this.#ports = ports;
  }

  /** Sends the first beat now and one per interval from then on. */
  start(): void {
    this.#beatAndSchedule();
  }

  /** The state changed: a beat now, or right after the one under way. */
  publishNow(): void {
    this.#again = true;
    this.#beating ??= this.#beat();
  }

  /** The settings changed: a new interval counts from the last beat. */
  settingsChanged(): void {
    if (this.#cancel !== undefined && this.#ports.intervalMs() !== this.#scheduledMs) this.#schedule();
  }

  /** Ends the beats; resolves when the one under way, and the one due after it, have ended. */
  async stop(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    await this.#beating;
  }

  #beatAndSchedule(): void {
    this.publishNow();
    this.#beatMs = this.#ports.clock.nowMs();
    this.#schedule();
  }

  #schedule(): void {
    const { clock, timers, rng, intervalMs } = this.#ports;
    this.#scheduledMs = intervalMs();
    const jittered = this.#scheduledMs * (1 - JITTER + 2 * JITTER * rng.next());
    this.#cancel?.();
    this.#cancel = timers.after(Math.max(0, this.#beatMs + jittered - clock.nowMs()), () =>
      this.#beatAndSchedule(),
    );
  }

  async #beat(): Promise<void> {
    do {
      this.#again = false;
      this.#tell(await this.#send(this.#ports.take()));
    } while (this.#again);
    this.#beating = undefined;
  }

  /** What becomes of the record of a beat must not end the beats. */
  #tell(beat: Beat): void {
    try {
      this.#ports.onBeat(beat);
    } catch {}
  }

  #send(stats: NodeStats): Promise<Beat> {
    const { bus, timers } = this.#ports;
    const { seq, id } = stats;
    const text = JSON.stringify(stats);
    return new Promise((resolve) => {
      const cancel = timers.after(BEAT_TIMEOUT_MS, () => resolve({ outcome: 'timed_out', seq }));
      const parts = [bus.publish(CHANNELS.stats, text), bus.putSnapshot(SNAPSHOTS.nodes, id, text)];
      void Promise.allSettled(parts).then(([feed, snapshot]) => {
        cancel();
        if (feed?.status === 'rejected')
          resolve({ outcome: 'failed', seq, part: 'feed', cause: feed.reason });
        else if (snapshot?.status === 'rejected')
          resolve({ outcome: 'failed', seq, part: 'snapshot', cause: snapshot.reason });
        else resolve({ outcome: 'published', seq });
      });
    });
  }
}
