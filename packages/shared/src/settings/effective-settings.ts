// The dynamic settings as the code reads them: parsed, in canonical units, one immutable snapshot per change.
import { type Mode, type Role, SIGNALS, type SignalName } from '../admission/signals.ts';
import type { AutoCreateRule } from './auto-create.ts';

/** Where refusing begins and where the most is refused, in the signal's unit (percent; milliseconds for queue). */
export type Limit = { readonly soft: number; readonly hard: number };

export type SignalSettings = {
  /** The signal's own mode, `inherit` already replaced by the master mode. */
  readonly mode: Mode;
  /** Limits by role; a signal a coordinator does not have (io) has none for it. */
  readonly limits: {
    readonly primary: Limit;
    readonly replica: Limit;
    readonly coordinator: Limit | undefined;
  };
};

/** A number of bytes, or a percentage of the heap limit of the process that reads it. */
export type BytesOrPercent = { readonly bytes: number } | { readonly percent: number };

export type EffectiveSettings = {
  /** Version of the settings document this snapshot came from; rises with every change. */
  readonly version: number;
  readonly admission: {
    readonly mode: Mode;
    readonly signals: Readonly<Record<SignalName, SignalSettings>>;
    /** Points below soft at which stress ends (percent of the soft limit for queue). */
    readonly leaveMargin: number;
    readonly minHoldMs: number;
    readonly maxShedRatio: number;
    readonly corroborate: boolean;
    readonly epochMs: number;
    readonly statsTtlMs: number;
    readonly coordinatorEnabled: boolean;
  };
  readonly stats: { readonly intervalMs: number };
  readonly indexingPressure: { readonly limit: BytesOrPercent; readonly replicaFactor: number };
  readonly replication: {
    readonly onReplicaRefusal: 'retry' | 'fail_copy' | 'let_pass';
    readonly retryTimeoutMs: number;
    readonly reserve: 'auto' | 'always' | 'never';
  };
  readonly bulk: { readonly refusal: 'item' | 'request'; readonly maxBodyBytes: number };
  readonly retryAfter: {
    /** Whether Retry-After is sent at all. */
    readonly enabled: boolean;
    readonly minMs: number;
    readonly maxMs: number;
  };
  readonly log: { readonly refusalsPerSecond: number };
  readonly opensearch: { readonly onAgentLoss: 'direct' | 'refuse' };
  /** Which indices a first write may make. */
  readonly autoCreateIndex: AutoCreateRule;
  /** Shard copies that clients may make, for each live data node. */
  readonly maxShardsPerNode: number;
};

/** Whether any signal is looked at. Where all are disabled, nothing is judged and nothing is counted. */
export function watchesAnySignal({ admission: { signals } }: EffectiveSettings): boolean {
  for (const signal of SIGNALS) if (signals[signal].mode !== 'disabled') return true;
  return false;
}

/** The limit of a signal for a role, or undefined where that role has none. */
export function limitOf(settings: EffectiveSettings, signal: SignalName, role: Role): Limit | undefined {
  return settings.admission.signals[signal].limits[role];
}
