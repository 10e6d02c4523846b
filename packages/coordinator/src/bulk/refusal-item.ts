// What does a refused client see? One line for people and the same facts for programs, for an item and for a whole request alike.
import { ERROR_CODES, type Evidence, type ItemFailure, REASONS } from '@weir/shared';

export type Refusal = {
  readonly evidence: Evidence;
  /** What is refused, such as `shard request for [logs][2]`. */
  readonly subject: string;
  readonly bytes: number;
  /** Alone over the limit: it can never pass, and a client must not try again. */
  readonly permanent: boolean;
  readonly decisionId: string;
};

/** The failure of everything that was refused together; none of it had any effect. */
export function refusalFailure(refusal: Refusal): ItemFailure {
  const { evidence, permanent, decisionId } = refusal;
  const row = REASONS[evidence.reason];
  const type = permanent ? ERROR_CODES.too_large.type : row.errorType;
  const reason = `${refusal.subject} of ${refusal.bytes} bytes refused by ${row.where}: ${why(refusal)}`;
  const weir = {
    reason: evidence.reason,
    node: evidence.node,
    signal: evidence.signal,
    value: rounded(evidence.value),
    limit: rounded(evidence.limit),
    age_ms: Math.round(evidence.ageMs),
    retry_after_ms: Math.round(evidence.retryAfterMs),
    decision_id: decisionId,
  };
  return {
    ok: false,
    status: permanent ? ERROR_CODES.too_large.status : row.status,
    error: { type, reason, weir },
  };
}

function why({ evidence, bytes, permanent }: Refusal): string {
  const { reason, node, signal, value, limit, ageMs } = evidence;
  if (permanent) return `${reason} at [${node}], larger than the whole limit of ${limit} bytes`;
  if (signal === 'bytes')
    return `${reason} at [${node}], ${value - bytes} bytes in flight + ${bytes} added = ${value}, limit ${limit}`;
  if (reason === 'draining') return `${reason}, node [${node}] is shutting down`;
  if (reason === 'disk_full')
    return `${reason}, node [${node}] has ${rounded(value)} bytes free, needed ${rounded(limit)}`;
  if (signal === 'none') return `${reason} at [${node}]`;
  const unit = signal === 'queue' ? ' ms' : '%';
  const facts = `${reason}, ${signal} of node [${node}] at ${rounded(value)}${unit}`;
  return `${facts}, limit ${rounded(limit)}${unit}, seen ${Math.round(ageMs)} ms ago`;
}

/** Three digits are more than any sample is good for. */
function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
