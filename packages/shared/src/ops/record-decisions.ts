// Records every decision of a gate or guard: in the metrics, the bounded log, the newest refusals and the counts of node stats.
import type { Verdict } from '../admission/verdict.ts';
import { AdmissionCounts } from './admission-counts.ts';
import { BoundedRefusalLog, type RefusalLogger } from './bounded-refusal-log.ts';
import type { Clock, Rng, Timers } from './clock.ts';
import type { DecisionContext, DecisionRecorder } from './decision-recorder.ts';
import type { Metrics } from './metrics.ts';
import { type KeptRefusal, NewestRefusals } from './newest-refusals.ts';
import { type RefusalRecord, refusalRecord } from './refusal-record.ts';

type DecisionMetrics = Pick<
  Metrics,
  'decisions' | 'refusedOperations' | 'refusedBytes' | 'wouldRefuseOperations' | 'wouldRefuseBytes'
>;
type Refusal = Exclude<Verdict, { kind: 'admit' }>;

/** About 600 bytes each: some minutes of a storm at the log's own rate, half a megabyte. */
const REFUSALS_KEPT = 1_000;

/** The recorder that services use; also the source of GET /_weir/rejections and of admission_control in node stats. */
export class RecordDecisions implements DecisionRecorder {
  readonly #metrics: DecisionMetrics;
  readonly #clock: Clock;
  readonly #log: BoundedRefusalLog;
  readonly #newest = new NewestRefusals(REFUSALS_KEPT);
  readonly #counts = new AdmissionCounts();
  /** Random per process, so that an id means one decision of the whole cluster. */
  readonly #idPrefix: string;
  #decisions = 0;

  constructor(options: {
    readonly metrics: DecisionMetrics;
    readonly log: RefusalLogger;
    readonly clock: Clock;
    readonly timers: Timers;
    readonly rng: Rng;
    /** `weir.log.refusals_per_second`, read at every refusal. */
    readonly linesPerSecond: () => number;
  }) {
    this.#metrics = options.metrics;
    this.#clock = options.clock;
    this.#log = new BoundedRefusalLog(harmless(options.log), options.timers, options.linesPerSecond);
    this.#idPrefix = options.rng.bytes(6).toString('hex');
  }

  record(verdict: Verdict, context: DecisionContext): string {
    if (verdict.kind === 'admit') {
      unharmed(() => this.#countAdmit(verdict.unknown, context));
      return '';
    }
    this.#decisions += 1;
    const decisionId = `${this.#idPrefix}-${this.#decisions.toString(36)}`;
    unharmed(() => this.#counts.count(verdict.kind, verdict.evidence));
    unharmed(() => this.#countRefusal(verdict, context));
    unharmed(() => this.#keepAndLog(refusalRecord(verdict, context, decisionId)));
    return decisionId;
  }

  /** Newest first. */
  newest(size: number): readonly KeptRefusal[] {
    return this.#newest.newest(size);
  }

  find(decisionId: string): KeptRefusal | undefined {
    return this.#newest.find(decisionId);
  }

  /** `admission_control` of this node in OpenSearch's shape. */
  admissionControlStats(): Record<string, unknown> {
    return this.#counts.toStats();
  }

  /** Writes what the log still holds back; the last call of a service. */
  stop(): void {
    this.#log.flush();
  }

  #keepAndLog(record: RefusalRecord): void {
    this.#newest.add(record, this.#clock.wallMs());
    this.#log.write(record);
  }

  #countAdmit(unknown: boolean, { role }: DecisionContext): void {
    const reason = unknown ? 'evidence_unavailable' : 'none';
    this.#metrics.decisions.inc({ role, verdict: 'admit', reason, signal: 'none' });
  }

  #countRefusal({ kind, evidence }: Refusal, { role, operations, bytes }: DecisionContext): void {
    const { reason, signal } = evidence;
    this.#metrics.decisions.inc({ role, verdict: kind, reason, signal });
    const real = kind === 'refuse';
    const operationsTotal = real ? this.#metrics.refusedOperations : this.#metrics.wouldRefuseOperations;
    const bytesTotal = real ? this.#metrics.refusedBytes : this.#metrics.wouldRefuseBytes;
    operationsTotal.inc({ role, reason }, operations);
    bytesTotal.inc({ role, reason }, bytes);
  }
}

function harmless(log: RefusalLogger): RefusalLogger {
  return {
    info: (fields, message) => unharmed(() => log.info(fields, message)),
    warn: (fields, message) => unharmed(() => log.warn(fields, message)),
  };
}

/** Runs what may fail without consequence: what observes a decision never changes it (invariant I14). */
function unharmed(run: () => void): void {
  try {
    run();
  } catch {
    // There is nobody left to tell: the log or the metric itself is what failed.
  }
}
