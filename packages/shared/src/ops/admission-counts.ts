// How many shard requests each signal refused or would have refused: what `_nodes/stats/admission_control` shows.
import { SIGNALS, type SignalName } from '../admission/signals.ts';
import type { Evidence, Verdict } from '../admission/verdict.ts';

type CountOfSignal = { refused: number; wouldRefuse: number };

/** One count per shard request, never per document. Byte limits are counted by indexing pressure instead. */
export class AdmissionCounts {
  readonly #bySignal = new Map<SignalName, CountOfSignal>(
    SIGNALS.map((signal) => [signal, { refused: 0, wouldRefuse: 0 }]),
  );

  count(kind: Exclude<Verdict['kind'], 'admit'>, evidence: Evidence): void {
    if (evidence.signal === 'bytes' || evidence.signal === 'none') return;
    const counts = this.#bySignal.get(evidence.signal);
    if (counts === undefined) return;
    if (kind === 'refuse') counts.refused += 1;
    else counts.wouldRefuse += 1;
  }

  /** OpenSearch's shape; a kind of request with count 0 is absent, and would-be refusals stand apart. */
  toStats(): Record<string, unknown> {
    return Object.fromEntries(
      [...this.#bySignal].map(([signal, { refused, wouldRefuse }]) => [
        `global_${signal}_usage`,
        {
          transport: {
            rejection_count: refused === 0 ? {} : { indexing: refused },
            would_refuse_count: wouldRefuse === 0 ? {} : { indexing: wouldRefuse },
          },
        },
      ]),
    );
  }
}
