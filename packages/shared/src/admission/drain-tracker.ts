// How much work waits here, how fast does it drain, and how long has the oldest of it waited?

/** Time over which the drain rate is averaged, counted in busy time only. */
const DRAIN_TAU_MS = 5_000;
/**
 * Weight of busy time in which nothing waits. Then the node is not at full tilt and its rate is what it was given, not
 * what it could do: counted in full, 5 coordinators refused 2.2 % of a load of 80 % in simulation, so weighed 0.6 %.
 * Not 0: at first it is all there is.
 */
const NOTHING_WAITS_WEIGHT = 0.1;

/** One piece of work on its way through a node. */
export type WorkTicket = { readonly work: number; readonly arrivedMs: number };

/** Counts work from arrival to completion; the drain rate is work completed per second while busy. */
export class DrainTracker {
  readonly #waiting = new Set<WorkTicket>();
  #inside = 0;
  #work = 0;
  #acceptedTotal = 0;
  #completedTotal = 0;
  /** Work done and busy time, both weighed and decayed by busy time: their ratio is the rate, and it stands still while idle. */
  #doneWork = 0;
  #busyMs = 0;
  #atMs = 0;

  /** Work arrives and waits. The ticket has to come back through `complete`, whatever becomes of the work. */
  arrive(work: number, nowMs: number): WorkTicket {
    this.#pass(nowMs);
    const ticket = { work, arrivedMs: nowMs };
    this.#waiting.add(ticket);
    this.#inside += 1;
    this.#work += work;
    this.#acceptedTotal += work;
    return ticket;
  }

  /** Its turn has come: it waits no longer, but still counts as work. */
  start(ticket: WorkTicket): void {
    this.#waiting.delete(ticket);
  }

  /** It is done, or given up. */
  complete(ticket: WorkTicket, nowMs: number): void {
    this.#pass(nowMs);
    this.#doneWork += ticket.work * this.#weight();
    this.#waiting.delete(ticket);
    this.#inside -= 1;
    this.#work = this.#inside === 0 ? 0 : Math.max(0, this.#work - ticket.work);
    this.#completedTotal += 1;
  }

  /** Work waiting and in service. */
  get work(): number {
    return this.#work;
  }

  /** Pieces waiting and in service. */
  get inside(): number {
    return this.#inside;
  }

  /** Work accepted since the start. */
  get acceptedTotal(): number {
    return this.#acceptedTotal;
  }

  /** Pieces completed since the start. */
  get completedTotal(): number {
    return this.#completedTotal;
  }

  /** Work completed per second while busy; null before the first completion, the last rate while idle. */
  drainPerS(nowMs: number): number | null {
    this.#pass(nowMs);
    if (this.#doneWork === 0 || this.#busyMs === 0) return null;
    return (this.#doneWork / this.#busyMs) * 1_000;
  }

  /** Age of the oldest piece that waits for its turn; 0 when none does. */
  oldestWaitingMs(nowMs: number): number {
    const oldest = this.#waiting.values().next();
    return oldest.done === true ? 0 : Math.max(0, nowMs - oldest.value.arrivedMs);
  }

  #pass(nowMs: number): void {
    const elapsedMs = nowMs - this.#atMs;
    if (elapsedMs <= 0) return;
    this.#atMs = nowMs;
    if (this.#inside === 0) return;
    const kept = Math.exp((-elapsedMs * this.#weight()) / DRAIN_TAU_MS);
    this.#doneWork *= kept;
    this.#busyMs = this.#busyMs * kept + DRAIN_TAU_MS * (1 - kept);
  }

  #weight(): number {
    return this.#waiting.size > 0 ? 1 : NOTHING_WAITS_WEIGHT;
  }
}
