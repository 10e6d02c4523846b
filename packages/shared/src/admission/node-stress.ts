// What one node's signals amount to for a role: how stressed, by which signal, on what figures.
import type { SignalName } from './signals.ts';

/** The largest stress of a set of signals, and the signal it comes from. */
export type Stress = {
  /** In [0, 1] after corroboration, before the cap: the share of requests to refuse. */
  readonly stress: number;
  readonly culprit: SignalName | 'none';
  /** The culprit's value in its own unit. */
  readonly value: number;
  /** The culprit's soft limit, same unit. */
  readonly limit: number;
  /** How long until it may be over, neither clamped nor spread yet. */
  readonly waitMs: number;
};

/** A node's stress for one role. */
export type NodeStress = Stress & {
  /** Whether anything at all is known of the node; what is unknown is never stressed. */
  readonly known: boolean;
  /** The stress there would be if the signals in mode monitor_only refused too; never less than `stress`. */
  readonly would: Stress;
};

export const NO_STRESS: Stress = { stress: 0, culprit: 'none', value: 0, limit: 0, waitMs: 0 };
export const CALM: NodeStress = { ...NO_STRESS, known: true, would: NO_STRESS };
export const UNKNOWN_STRESS: NodeStress = { ...NO_STRESS, known: false, would: NO_STRESS };
