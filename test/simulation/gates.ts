// The gates that are compared: the product's law, and the two bare limits people reach for first.
import {
  CALM,
  ClusterView,
  type DecisionMoment,
  decideShard,
  type Evidence,
  type NodeStats,
  type ShedSubject,
} from '@weir/shared';
import { NODE_ID, type Sample } from './simulated-node.ts';

export const GATES = ['law', 'bareQueue', 'bareCpu'] as const;
export type GateName = (typeof GATES)[number];

/** One coordinator's gate. */
export interface Gate {
  hear(sample: Sample): void;
  /** Whether a request may go to the node. */
  admits(subject: ShedSubject): boolean;
  /** The node's guard refused what this gate had admitted. */
  noteRefused(evidence: Evidence): void;
}

const BARE_QUEUE_LIMIT = 40;
const BARE_CPU_LIMIT_PERCENT = 90;
const OWN = { name: 'coordinator', stress: CALM };

/** The product's decision on the product's view. */
class LawGate implements Gate {
  readonly #moment: () => DecisionMoment;
  readonly #view: ClusterView;

  constructor(moment: () => DecisionMoment) {
    this.#moment = moment;
    this.#view = new ClusterView(() => moment().settings);
  }

  hear({ stats }: Sample): void {
    this.#view.apply(stats, this.#moment().nowMs);
  }

  admits(subject: ShedSubject): boolean {
    const facts = { ...subject, digest: () => subject.digest(), primary: NODE_ID, replicas: [] };
    if (decideShard(facts, this.#view, OWN, this.#moment()).kind === 'refuse') return false;
    this.#view.noteAdmitted(NODE_ID, 1);
    return true;
  }

  noteRefused(evidence: Evidence): void {
    this.#view.noteNotArrived(NODE_ID, 1);
    this.#view.noteRejectedByNode(NODE_ID, evidence, this.#moment().nowMs);
  }
}

/** Refuses everything while the last published figure is at its limit. */
class BareGate implements Gate {
  readonly #limit: number;
  readonly #figure: (stats: NodeStats, rawCpuPercent: number) => number;
  #closed = false;

  constructor(limit: number, figure: (stats: NodeStats, rawCpuPercent: number) => number) {
    this.#limit = limit;
    this.#figure = figure;
  }

  hear({ stats, rawCpuPercent }: Sample): void {
    this.#closed = this.#figure(stats, rawCpuPercent) >= this.#limit;
  }

  admits(): boolean {
    return !this.#closed;
  }

  noteRefused(): void {}
}

export function createGate(name: GateName, moment: () => DecisionMoment): Gate {
  if (name === 'law') return new LawGate(moment);
  if (name === 'bareQueue') return new BareGate(BARE_QUEUE_LIMIT, (stats) => stats.operations_waiting);
  return new BareGate(BARE_CPU_LIMIT_PERCENT, (_stats, rawCpuPercent) => rawCpuPercent);
}
