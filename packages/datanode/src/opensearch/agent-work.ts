// What waits at an agent's node: the writes sent there and not answered, what its write pool says, and that it refused some just now.
import { type Clock, type EffectiveSettings, limitOf, type Release } from '@weir/shared';
import type { Work } from '../own-signals.ts';
import { type WorkStanding, WorkTracker } from '../signals/work-tracker.ts';
import type { WritePool } from './write-pool.ts';

export type AgentWorkPorts = {
  readonly clock: Clock;
  readonly settings: () => EffectiveSettings;
  readonly pool: Pick<WritePool, 'delayMs'>;
};

export class AgentWork implements Work {
  readonly #ports: AgentWorkPorts;
  readonly #sent: WorkTracker;
  #poolHeldOurs = false;
  #refusingUntilMs = Number.NEGATIVE_INFINITY;

  constructor(ports: AgentWorkPorts) {
    this.#ports = ports;
    this.#sent = new WorkTracker(ports.clock);
  }

  begin(work: number, operations: number, bulk?: string): Release {
    return this.#sent.begin(work, operations, bulk);
  }

  /** The node itself refused something: it is as full as it can be, for weir.admission.min_hold from now. True when that is news. */
  noteRefusal(): boolean {
    const nowMs = this.#ports.clock.nowMs();
    const news = nowMs >= this.#refusingUntilMs;
    this.#refusingUntilMs = nowMs + this.#ports.settings().admission.minHoldMs;
    return news;
  }

  /** Requests that were sent and not answered; each is one task of the node's pool, which was just looked at. */
  poolObserved(): number {
    this.#poolHeldOurs = this.#sent.inside > 0;
    return this.#sent.inside;
  }

  standing(): WorkStanding {
    const standing = this.#sent.standing();
    const heldMs = this.#heldMs();
    // A reader takes the age of what it was told off a wait; with the time that is left on top, it stays at its hard limit that long.
    const refusingMs = heldMs === 0 ? 0 : this.#hardMs() + heldMs;
    return {
      ...standing,
      oldestWaitingMs: Math.max(standing.oldestWaitingMs, this.#poolMs(), refusingMs),
    };
  }

  /** The largest of all opinions, for a part of this bulk. */
  delayMs(bulk?: string): number {
    const refusingMs = this.#heldMs() === 0 ? 0 : this.#hardMs();
    return Math.max(this.#sent.delayMs(bulk), this.#poolMs(bulk), refusingMs);
  }

  /**
   * What the pool held beside requests from here may be parts of replicas of the same bulks: once these are answered, or for other parts of the one
   * bulk that was there, it says nothing. For up to a second the last large bulk would refuse the next one.
   */
  #poolMs(bulk?: string): number {
    if (this.#poolHeldOurs && !this.#sent.isBusy(bulk)) return 0;
    return this.#ports.pool.delayMs(this.#ports.clock.nowMs());
  }

  #heldMs(): number {
    return Math.max(0, this.#refusingUntilMs - this.#ports.clock.nowMs());
  }

  /** A node that refuses is where the queue's ramp ends, whatever its own figures say. */
  #hardMs(): number {
    return limitOf(this.#ports.settings(), 'queue', 'primary')?.hard ?? 0;
  }
}
