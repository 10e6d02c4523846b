// One cell of the table: so many coordinators, samples so far apart, so much offered; what becomes of it under one gate?
import { type DecisionMoment, type EffectiveSettings, momentOf } from '@weir/shared';
import { DEFAULT_SETTINGS, ManualClock, seededRng } from '@weir/shared/testing';
import { createGate, type Gate, type GateName } from './gates.ts';
import { CAPACITY_PER_S, type Sample, SERVERS, SimulatedNode } from './simulated-node.ts';

export type Cell = {
  /** Share of the traffic of each coordinator; sums to 1. */
  readonly shares: readonly number[];
  readonly intervalMs: number;
  /** Offered load in times of the node's capacity. */
  readonly offered: number;
};

export type RunOptions = {
  readonly seed: number;
  readonly measuredMs: number;
  /** Answers carry a sample too, at most 100 ms old, as those of a data node do. */
  readonly samplesRideOnAnswers?: boolean;
};

export type Figures = {
  /** Completed, in percent of what was possible: the smaller of what was offered and what the servers could do. */
  readonly goodputPercent: number;
  /** Refused by gate, guard or cap, in percent of what was offered. */
  readonly refusedPercent: number;
  /** Refused at the node, after the hop, in percent of what was offered. */
  readonly latePercent: number;
};

type Counts = { offered: number; refused: number; late: number; completed: number; servedMs: number };

const WARM_UP_MS = 30_000;
const SALT = 0x5eed;
const FRESH_MS = 100;

/** Runs one cell; the same options give the same figures. */
export function runCell(cell: Cell, gateName: GateName, options: RunOptions): Figures {
  const run = new CellRun(cell, gateName, options);
  const before = run.advance(WARM_UP_MS);
  const after = run.advance(options.measuredMs);
  const offered = after.offered - before.offered;
  const completed = after.completed - before.completed;
  // The capacity of this very run: what its own service times, as they were drawn, leave room for.
  const meanServiceMs = (after.servedMs - before.servedMs) / completed;
  const capacity = (SERVERS * options.measuredMs) / meanServiceMs;
  return {
    goodputPercent: (100 * completed) / Math.min(offered, capacity),
    refusedPercent: (100 * (after.refused - before.refused)) / offered,
    latePercent: (100 * (after.late - before.late)) / offered,
  };
}

class CellRun {
  readonly #cell: Cell;
  readonly #clock = new ManualClock();
  readonly #rng: ReturnType<typeof seededRng>;
  readonly #settings: EffectiveSettings;
  readonly #node: SimulatedNode;
  readonly #gates: readonly Gate[];
  readonly #rides: boolean;
  #riding: Sample | undefined;
  #ridingMs = 0;
  #offered = 0;
  #refused = 0;
  #late = 0;

  constructor(cell: Cell, gateName: GateName, options: RunOptions) {
    this.#cell = cell;
    this.#rng = seededRng(options.seed);
    this.#settings = settingsOf(cell);
    this.#rides = options.samplesRideOnAnswers ?? false;
    const moment = (): DecisionMoment => momentOf(this.#clock, this.#settings, SALT);
    const serviceRng = seededRng(options.seed + 1);
    this.#node = new SimulatedNode(this.#clock, serviceRng, gateName === 'law', moment);
    this.#gates = cell.shares.map(() => createGate(gateName, moment));
    this.#clock.after(cell.intervalMs * this.#rng.next(), () => this.#publish());
    this.#clock.after(0, () => this.#arrive());
  }

  advance(byMs: number): Counts {
    this.#clock.advance(byMs);
    const { completed, servedMs } = this.#node;
    return { offered: this.#offered, refused: this.#refused, late: this.#late, completed, servedMs };
  }

  /** A sample reaches each coordinator at a moment of its own, within a millisecond. */
  #publish(): void {
    const sample = this.#node.take();
    for (const gate of this.#gates) this.#clock.after(this.#rng.next(), () => gate.hear(sample));
    this.#clock.after(this.#cell.intervalMs * (0.9 + 0.2 * this.#rng.next()), () => this.#publish());
  }

  #arrive(): void {
    this.#offered += 1;
    this.#send(this.#pick());
    const gapMs = (-Math.log(1 - this.#rng.next()) / (this.#cell.offered * CAPACITY_PER_S)) * 1_000;
    this.#clock.after(gapMs, () => this.#arrive());
  }

  #send(gate: Gate): void {
    const digest = Math.floor(this.#rng.next() * 4_294_967_296);
    const subject = { index: 'logs-a', shard: 0, digest: () => digest };
    if (!gate.admits(subject)) {
      this.#refused += 1;
      return;
    }
    const arrival = this.#node.arrive(subject, () => this.#answer(gate));
    if (arrival === 'accepted') return;
    this.#refused += 1;
    this.#late += 1;
    this.#answer(gate);
    if (arrival !== 'capped') gate.noteRefused(arrival);
  }

  #answer(gate: Gate): void {
    if (!this.#rides) return;
    const nowMs = this.#clock.nowMs();
    if (this.#riding === undefined || nowMs - this.#ridingMs >= FRESH_MS) {
      this.#riding = this.#node.take();
      this.#ridingMs = nowMs;
    }
    gate.hear(this.#riding);
  }

  #pick(): Gate {
    let rest = this.#rng.next();
    const index = this.#cell.shares.findIndex((share) => {
      rest -= share;
      return rest < 0;
    });
    const gate = this.#gates.at(index);
    if (gate === undefined) throw new RangeError('a cell needs at least one coordinator');
    return gate;
  }
}

/** Settings of the run: samples every T; evidence lives for three of them, at least as long as by default. */
function settingsOf({ intervalMs }: Cell): EffectiveSettings {
  const { admission } = DEFAULT_SETTINGS;
  const statsTtlMs = Math.max(admission.statsTtlMs, 3 * intervalMs);
  return { ...DEFAULT_SETTINGS, stats: { intervalMs }, admission: { ...admission, statsTtlMs } };
}
