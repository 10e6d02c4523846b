// The port by which gate and guard tell what they decided: to the log, the metrics and the list of newest refusals, never back into a verdict.
import type { Role } from '../admission/signals.ts';
import type { Verdict } from '../admission/verdict.ts';

/** What was decided upon; shows up in log lines and in GET /_weir/rejections. */
export type DecisionContext = {
  readonly role: Role;
  readonly index: string;
  readonly shard: number | undefined;
  readonly operations: number;
  readonly bytes: number;
  readonly requestId: string;
  readonly opaqueId: string | undefined;
  readonly traceId: string | undefined;
  readonly settingsVersion: number;
};

export interface DecisionRecorder {
  /** Records one decision per shard request; returns its id (empty for an admit). Never throws, whatever becomes of log and metrics (invariant I14). */
  record(verdict: Verdict, context: DecisionContext): string;
}
