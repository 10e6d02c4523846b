// What does this reader know of one data node: who it is, how old its evidence is, how stressed it looks?
import type { NodeEvidence } from '../admission/evidence-view.ts';
import { LoadEstimate } from '../admission/load-estimate.ts';
import type { NodeStress } from '../admission/node-stress.ts';
import { StressStates } from '../admission/stress-states.ts';
import type { EffectiveSettings } from '../settings/effective-settings.ts';
import type { NodeStats } from '../wire/node-stats.ts';

/** Silence, in times of the evidence's time to live, after which a node counts as dead instead of merely unknown. */
const GONE_AFTER_TTLS = 6;

/** One node as a reader sees it; ages are counted on the reader's monotonic clock from the arrival of each new sample. */
export class WatchedNode implements NodeEvidence {
  readonly load = new LoadEstimate();
  readonly states = new StressStates();
  #stats: NodeStats;
  #pastBootId: string | undefined;
  #hasEvidence = false;
  #heardMs: number;

  /** A node that was heard of, but not heard: identity and address without evidence. */
  constructor(stats: NodeStats, nowMs: number) {
    this.#stats = stats;
    this.#heardMs = nowMs;
  }

  /** Takes in a sample if it is new; one that was heard before, or belongs to an earlier start of the node, says nothing. */
  apply(stats: NodeStats, nowMs: number, settings: EffectiveSettings): boolean {
    if (stats.boot_id === this.#stats.boot_id) {
      if (stats.seq <= this.#stats.seq) return false;
    } else {
      if (stats.boot_id === this.#pastBootId) return false;
      this.#pastBootId = this.#stats.boot_id;
      this.load.reset();
    }
    this.accept(stats, nowMs, settings);
    return true;
  }

  /** Takes in a sample that is known to be new. */
  accept(stats: NodeStats, nowMs: number, settings: EffectiveSettings): void {
    this.#stats = stats;
    this.#heardMs = nowMs;
    this.#hasEvidence = true;
    this.load.apply(stats, nowMs);
    this.states.observe(stats.signals, nowMs, settings);
  }

  /** The newest sample; before any evidence, what was read of the node elsewhere. */
  get stats(): NodeStats {
    return this.#stats;
  }

  /** Whether it was heard itself; where it merely is on record, it may not be up yet. */
  get isHeard(): boolean {
    return this.#hasEvidence;
  }

  get name(): string {
    return this.#stats.name;
  }

  standing(nowMs: number, settings: EffectiveSettings): 'known' | 'unknown' | 'gone' {
    const { statsTtlMs } = settings.admission;
    const ageMs = nowMs - this.#heardMs;
    if (this.#hasEvidence && ageMs <= statsTtlMs) return 'known';
    return ageMs > GONE_AFTER_TTLS * statsTtlMs ? 'gone' : 'unknown';
  }

  ageMs(nowMs: number): number {
    return Math.max(0, nowMs - this.#heardMs);
  }

  stressOf(role: 'primary' | 'replica', nowMs: number, settings: EffectiveSettings): NodeStress {
    return this.states.stressOf(role, this.load.delayMs(nowMs), nowMs, settings);
  }
}
