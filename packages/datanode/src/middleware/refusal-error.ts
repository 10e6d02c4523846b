// A refusal as it leaves over HTTP where the whole request is refused: OpenSearch's error body, and how long to wait.
import { type ErrorCode, type RefusalReason, WeirError } from '@weir/shared';
import type { Refused } from '../shard/admit-shard.ts';

/** Reasons that are not answered with 429. */
const CODES: Partial<Record<RefusalReason, ErrorCode>> = { draining: 'unavailable', disk_full: 'disk_full' };

/** 413 without a wait for what can never pass; else 429 (503 draining, 507 disk full), with Retry-After where the settings send it. */
export function refusalError({ evidence, permanent, decisionId }: Refused, withWait: boolean): WeirError {
  const { reason, node, signal, retryAfterMs } = evidence;
  const value = Math.round(evidence.value);
  const limit = Math.round(evidence.limit);
  const facts = { node, signal, value, limit, decision_id: decisionId };
  if (permanent)
    return new WeirError(
      'too_large',
      `request of ${value} bytes is over the limit of ${limit} bytes and can never pass`,
      {
        fields: { ...facts, weir_reason: reason },
      },
    );
  return new WeirError(
    CODES[reason] ?? 'rejected',
    `rejected by [${node}]: ${reason}, ${signal} at ${value}, limit ${limit}`,
    {
      fields: { ...facts, weir_reason: reason, ...(withWait ? { retry_after_ms: retryAfterMs } : {}) },
    },
  );
}
