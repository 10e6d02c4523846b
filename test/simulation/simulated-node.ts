// One data node of the simulation: a queue before a few servers, guarded and watched by the real law.
import {
  type Clock,
  type DecisionMoment,
  DrainTracker,
  decideNode,
  delayMs,
  type Evidence,
  Ewma,
  type NodeStats,
  type Rng,
  type ShedSubject,
  StressStates,
  type Timers,
  type WorkTicket,
} from '@weir/shared';

/** The node of the published table: 4 servers with an exponential service time of 50 ms. */
export const SERVERS = 4;
const SERVICE_MS = 50;
export const CAPACITY_PER_S = (SERVERS / SERVICE_MS) * 1_000;
export const NODE_ID = 'id-dn1';
/** Requests inside at most: stands for the exact byte limits, which refuse whatever the ramp says. */
const CAP = 60;
const SAMPLE_MS = 1_000;

type Job = { readonly ticket: WorkTicket; readonly serviceMs: number; readonly answered: () => void };

/** What becomes of a request that arrives: accepted, refused at the cap, or refused by the guard on its evidence. */
export type Arrival = 'accepted' | 'capped' | Evidence;

/** A sample, with the cpu share of the whole time since the one before, as a bare gate reads it. */
export type Sample = { readonly stats: NodeStats; readonly rawCpuPercent: number };

/** Takes requests of one unit of work each. */
export class SimulatedNode {
  readonly #clock: Clock & Timers;
  readonly #rng: Rng;
  readonly #moment: () => DecisionMoment;
  readonly #guarded: boolean;
  readonly #tracker = new DrainTracker();
  readonly #states = new StressStates();
  readonly #cpuFast = new Ewma(2_000);
  readonly #cpuSlow = new Ewma(10_000);
  readonly #queue: Job[] = [];
  #inService = 0;
  /** Server time spent until `#busyAtMs`. */
  #busyMs = 0;
  #busyAtMs = 0;
  #sampledBusyMs = 0;
  #publishedBusyMs = 0;
  #publishedMs = 0;
  #seq = 0;
  /** Service time of the completed requests. */
  #servedMs = 0;

  constructor(clock: Clock & Timers, rng: Rng, guarded: boolean, moment: () => DecisionMoment) {
    this.#clock = clock;
    this.#rng = rng;
    this.#guarded = guarded;
    this.#moment = moment;
    clock.every(SAMPLE_MS, () => this.#sample());
  }

  /** A request arrives; the guard decides by the node's own exact figures. `answered` runs when it is done. */
  arrive(subject: ShedSubject, answered: () => void): Arrival {
    if (this.#tracker.inside >= CAP) return 'capped';
    const refusal = this.#guarded ? this.#refusal(subject) : undefined;
    if (refusal !== undefined) return refusal;
    const ticket = this.#tracker.arrive(1, this.#clock.nowMs());
    const serviceMs = -Math.log(1 - this.#rng.next()) * SERVICE_MS;
    this.#queue.push({ ticket, serviceMs, answered });
    this.#serve();
    return 'accepted';
  }

  /** A new sample. */
  take(): Sample {
    const nowMs = this.#clock.nowMs();
    this.#countBusy();
    const busyMs = this.#busyMs - this.#publishedBusyMs;
    const rawCpuPercent = (100 * busyMs) / Math.max(1, nowMs - this.#publishedMs) / SERVERS;
    this.#publishedBusyMs = this.#busyMs;
    this.#publishedMs = nowMs;
    this.#seq += 1;
    return { stats: this.#stats(nowMs), rawCpuPercent };
  }

  get completed(): number {
    return this.#tracker.completedTotal;
  }

  get servedMs(): number {
    return this.#servedMs;
  }

  #refusal(subject: ShedSubject): Evidence | undefined {
    const moment = this.#moment();
    const stress = this.#states.guardStressOf('primary', this.#delayMs(), moment.nowMs, moment.settings);
    const verdict = decideNode('primary', subject, { name: 'dn1', stress }, moment);
    return verdict.kind === 'refuse' ? verdict.evidence : undefined;
  }

  #stats(nowMs: number): NodeStats {
    return {
      id: NODE_ID,
      name: 'dn1',
      address: 'http://127.0.0.1:9300',
      boot_id: 'boot-1',
      seq: this.#seq,
      draining: false,
      signals: { cpu: this.#cpu() },
      work: this.#tracker.work,
      operations_waiting: this.#tracker.inside,
      oldest_waiting_ms: this.#tracker.oldestWaitingMs(nowMs),
      drain_per_s: this.#tracker.drainPerS(nowMs),
      accepted_total: this.#tracker.acceptedTotal,
      completed_total: this.#tracker.completedTotal,
      in_flight_bytes: { coordinating: 0, primary: 0, replica: 0 },
      limit_bytes: { primary: 0, replica: 0 },
      settings_version: 0,
    };
  }

  #cpu(): { fast: number; slow: number; quality: 'ok' | 'warming' } {
    const fast = this.#cpuFast.value();
    const slow = this.#cpuSlow.value();
    return { fast: fast ?? 0, slow: slow ?? 0, quality: fast === undefined ? 'warming' : 'ok' };
  }

  #delayMs(): number {
    const nowMs = this.#clock.nowMs();
    return delayMs(this.#tracker.work, this.#tracker.drainPerS(nowMs), this.#tracker.oldestWaitingMs(nowMs));
  }

  #sample(): void {
    const { nowMs, settings } = this.#moment();
    this.#countBusy();
    const cpuPercent = (100 * (this.#busyMs - this.#sampledBusyMs)) / SAMPLE_MS / SERVERS;
    this.#sampledBusyMs = this.#busyMs;
    this.#cpuFast.observe(cpuPercent, nowMs);
    this.#cpuSlow.observe(cpuPercent, nowMs);
    this.#states.observe({ cpu: this.#cpu() }, nowMs, settings);
  }

  #serve(): void {
    while (this.#inService < SERVERS) {
      const job = this.#queue.shift();
      if (job === undefined) return;
      this.#tracker.start(job.ticket);
      this.#countBusy();
      this.#inService += 1;
      this.#clock.after(job.serviceMs, () => this.#finish(job));
    }
  }

  #finish(job: Job): void {
    this.#countBusy();
    this.#inService -= 1;
    this.#servedMs += job.serviceMs;
    this.#tracker.complete(job.ticket, this.#clock.nowMs());
    this.#serve();
    job.answered();
  }

  #countBusy(): void {
    const nowMs = this.#clock.nowMs();
    this.#busyMs += this.#inService * (nowMs - this.#busyAtMs);
    this.#busyAtMs = nowMs;
  }
}
