// How much work is at this node's engine, how long has it been there, and how fast does it leave?
import { type Clock, DrainTracker, delayMs, type Release } from '@weir/shared';

/** The work of a node at one moment, in units of operationWork() where nothing else is said. */
export type WorkStanding = {
  /** Waiting and in service. */
  readonly work: number;
  /** Operations waiting and in service. */
  readonly operationsWaiting: number;
  readonly oldestWaitingMs: number;
  /** Per second while busy; null before the first completion. */
  readonly drainPerS: number | null;
  readonly acceptedTotal: number;
  /** Operations, not work. */
  readonly completedTotal: number;
};

/** Counts work from its admission to the end of its stay in the engine; waiting for other nodes is no work of this one. */
export class WorkTracker {
  readonly #clock: Clock;
  readonly #drain = new DrainTracker();
  #operationsWaiting = 0;
  #operationsCompleted = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Work comes to the engine; the returned function says that it is done or given up, and does nothing when called again. The engine
   * does not tell when it turns to a piece, so one in service counts as waiting too: that is how long the next one waits.
   * `bulk` names the client's request that it is a part of.
   */
  begin(work: number, operations: number, bulk?: string): Release {
    const ticket = this.#drain.arrive(work, this.#clock.nowMs(), bulk);
    this.#operationsWaiting += operations;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#drain.complete(ticket, this.#clock.nowMs());
      this.#operationsWaiting -= operations;
      this.#operationsCompleted += operations;
    };
  }

  standing(): WorkStanding {
    const nowMs = this.#clock.nowMs();
    return {
      work: this.#drain.work,
      operationsWaiting: this.#operationsWaiting,
      oldestWaitingMs: this.#drain.oldestWaitingMs(nowMs),
      drainPerS: this.#drain.drainPerS(nowMs),
      acceptedTotal: this.#drain.acceptedTotal,
      completedTotal: this.#operationsCompleted,
    };
  }

  /** Whether anything is inside, the parts of this bulk left out. */
  isBusy(exceptOf?: string): boolean {
    return this.#drain.workBeside(exceptOf) > 0;
  }

  /** Pieces waiting and in service. */
  get inside(): number {
    return this.#drain.inside;
  }

  /**
   * How long work that comes now would wait: the node's own queue signal, exact. The parts of one bulk do not wait for each other: a large bulk
   * over several shards of an idle node would be refused by itself.
   */
  delayMs(bulk?: string): number {
    const nowMs = this.#clock.nowMs();
    return delayMs(
      this.#drain.workBeside(bulk),
      this.#drain.drainPerS(nowMs),
      this.#drain.oldestWaitingMs(nowMs, bulk),
    );
  }
}
