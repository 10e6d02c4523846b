// What a decision answers: admit, would refuse (monitor) or refuse, with the evidence it was taken on.
import type { RefusalReason } from './reasons.ts';
import type { Role, SignalName } from './signals.ts';

/** The facts behind a refusal, real or would-be; everything a person needs to follow it. */
export type Evidence = {
  readonly reason: RefusalReason;
  readonly role: Role;
  /** Name of the node whose stress decided. */
  readonly node: string;
  /** The culprit; `bytes` for the exact byte limits, `none` where no signal is behind it. */
  readonly signal: SignalName | 'bytes' | 'none';
  /** The culprit's value in its own unit: percent, milliseconds or bytes. */
  readonly value: number;
  /** The limit it was held against (soft limit of the signal, or the byte limit), same unit. */
  readonly limit: number;
  /** Stress in [0, 1] after corroboration and cap: the share that is being refused. */
  readonly stress: number;
  /** Age of the evidence on the reader's clock; 0 for a node's own. */
  readonly ageMs: number;
  /** How long the client should wait, clamped to the settings' bounds. */
  readonly retryAfterMs: number;
};

export type Verdict =
  | {
      readonly kind: 'admit' /** No recent evidence of the primary's node: admitted and counted. */;
      readonly unknown: boolean;
    }
  | { readonly kind: 'would_refuse'; readonly evidence: Evidence }
  | { readonly kind: 'refuse'; readonly evidence: Evidence };

export const ADMIT: Verdict = { kind: 'admit', unknown: false };
export const ADMIT_UNKNOWN: Verdict = { kind: 'admit', unknown: true };
