// How much work waits here, how fast does it drain, and how long has the oldest of it waited?

/**
 * The drain rate is that of the last 8 s, counted in busy time only, in slots that are forgotten one by one. A window and no decaying average:
 * work that cost little per unit may be drained a hundred times as fast as what comes after it, and the smallest rest of it would be believed.
 */
const SLOT_MS = 250;
const SLOTS = 32;
/**
 * Weight of busy time in which nothing waits. Then the node is not at full tilt and its rate is what it was given, not
 * what it could do: counted in full, 5 coordinators refused 2.2 % of a load of 80 % in simulation, so weighed 0.6 %.
 * Not 0: at first it is all there is.
 */
const NOTHING_WAITS_WEIGHT = 0.1;

/** What an operation without a source weighs; rounding leaves less. */
const LEAST_WORK = 1;

/** One piece of work on its way through a node. */
export type WorkTicket = {
  readonly work: number;
  readonly arrivedMs: number;
  /** The client's request it is a part of, where that is known. */
  readonly bulk?: string | undefined;
};

/** Counts work from arrival to completion; the drain rate is work completed per second while busy. */
export class DrainTracker {
  readonly #waiting = new Set<WorkTicket>();
  readonly #workByBulk = new Map<string, number>();
  #inside = 0;
  #work = 0;
  #acceptedTotal = 0;
  #completedTotal = 0;
  /** Work done and busy time, both weighed, by slot and of the whole window: their ratio is the rate, and it stands still while idle. */
  readonly #doneBySlot = new Float64Array(SLOTS);
  readonly #busyBySlot = new Float64Array(SLOTS);
  #slot = 0;
  #atMs = 0;

  /** Work arrives and waits. The ticket has to come back through `complete`, whatever becomes of the work. */
  arrive(work: number, nowMs: number, bulk?: string): WorkTicket {
    this.#pass(nowMs);
    const ticket = { work, arrivedMs: nowMs, bulk };
    if (bulk !== undefined) this.#workByBulk.set(bulk, this.#workOf(bulk) + work);
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
    this.#doneBySlot[this.#slot] = (this.#doneBySlot[this.#slot] ?? 0) + ticket.work * this.#weight();
    this.#waiting.delete(ticket);
    if (ticket.bulk !== undefined) this.#forget(ticket.bulk, ticket.work);
    this.#inside -= 1;
    this.#work = this.#inside === 0 ? 0 : Math.max(0, this.#work - ticket.work);
    this.#completedTotal += 1;
  }

  /** Work waiting and in service. */
  get work(): number {
    return this.#work;
  }

  /** The same without what belongs to one client's request. */
  workBeside(bulk: string | undefined): number {
    const own = bulk === undefined ? 0 : this.#workOf(bulk);
    return own === 0 ? this.#work : rest(this.#work, own);
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
    const doneWork = sum(this.#doneBySlot);
    const busyMs = sum(this.#busyBySlot);
    return doneWork === 0 || busyMs === 0 ? null : (doneWork / busyMs) * 1_000;
  }

  /** Age of the oldest piece that waits for its turn, those of one client's request left out; 0 when none does. */
  oldestWaitingMs(nowMs: number, exceptOf?: string): number {
    for (const { arrivedMs, bulk } of this.#waiting)
      if (exceptOf === undefined || bulk !== exceptOf) return Math.max(0, nowMs - arrivedMs);
    return 0;
  }

  #workOf(bulk: string): number {
    return this.#workByBulk.get(bulk) ?? 0;
  }

  #forget(bulk: string, work: number): void {
    const left = rest(this.#workOf(bulk), work);
    if (left === 0) this.#workByBulk.delete(bulk);
    else this.#workByBulk.set(bulk, left);
  }

  #pass(nowMs: number): void {
    const elapsedMs = nowMs - this.#atMs;
    if (elapsedMs <= 0) return;
    this.#atMs = nowMs;
    if (this.#inside === 0) return;
    let busyMs = Math.min(elapsedMs * this.#weight(), SLOT_MS * SLOTS);
    for (let room = this.#room(); busyMs >= room; room = this.#room()) {
      this.#busyBySlot[this.#slot] = SLOT_MS;
      busyMs -= room;
      this.#slot = (this.#slot + 1) % SLOTS;
      this.#doneBySlot[this.#slot] = 0;
      this.#busyBySlot[this.#slot] = 0;
    }
    this.#busyBySlot[this.#slot] = (this.#busyBySlot[this.#slot] ?? 0) + busyMs;
  }

  /** Busy time that the newest slot still has room for. */
  #room(): number {
    return SLOT_MS - (this.#busyBySlot[this.#slot] ?? 0);
  }

  #weight(): number {
    return this.#waiting.size > 0 ? 1 : NOTHING_WAITS_WEIGHT;
  }
}

/** What is left of work when a part of it is taken off. */
function rest(work: number, part: number): number {
  return work - part < LEAST_WORK / 2 ? 0 : work - part;
}

function sum(slots: Float64Array): number {
  let total = 0;
  for (const slot of slots) total += slot;
  return total;
}
