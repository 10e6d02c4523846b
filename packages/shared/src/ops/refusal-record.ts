// A refusal, real or would-be, as one flat record: the fields of its log line and of GET /_weir/rejections.
import type { Evidence, Verdict } from '../admission/verdict.ts';
import { escapeControlCharacters } from '../http/error-response.ts';
import type { DecisionContext } from './decision-recorder.ts';

/** Wire names, as SETTINGS lists them; a field that does not apply is absent. */
export type RefusalRecord = {
  readonly decision_id: string;
  readonly verdict: 'refuse' | 'would_refuse';
  readonly reason: Evidence['reason'];
  readonly role: DecisionContext['role'];
  readonly index: string;
  readonly shard?: number;
  readonly node: string;
  readonly signal: Evidence['signal'];
  readonly value: number;
  readonly limit: number;
  readonly age_ms: number;
  readonly stress: number;
  readonly retry_after_ms: number;
  readonly mode: 'enforced' | 'monitor_only';
  readonly operations: number;
  readonly bytes: number;
  readonly request_id: string;
  readonly opaque_id?: string;
  readonly trace_id?: string;
  readonly settings_version: number;
};

/** Bytes kept of each text, so that a line stays below 1 kB whatever a client sends: 255 is the longest index name, the others are cut. */
const INDEX_BYTES = 255;
const TEXT_BYTES = 64;

/** The record of a refusal; texts that clients choose are escaped and cut. */
export function refusalRecord(
  verdict: Exclude<Verdict, { kind: 'admit' }>,
  context: DecisionContext,
  decisionId: string,
): RefusalRecord {
  const { evidence } = verdict;
  return {
    decision_id: decisionId,
    verdict: verdict.kind,
    reason: evidence.reason,
    role: context.role,
    index: shown(context.index, INDEX_BYTES),
    ...(context.shard === undefined ? {} : { shard: context.shard }),
    node: shown(evidence.node, TEXT_BYTES),
    signal: evidence.signal,
    value: rounded(evidence.value),
    limit: rounded(evidence.limit),
    age_ms: Math.round(evidence.ageMs),
    stress: rounded(evidence.stress),
    retry_after_ms: Math.round(evidence.retryAfterMs),
    mode: verdict.kind === 'refuse' ? 'enforced' : 'monitor_only',
    operations: context.operations,
    bytes: context.bytes,
    request_id: shown(context.requestId, TEXT_BYTES),
    ...(context.opaqueId === undefined ? {} : { opaque_id: shown(context.opaqueId, TEXT_BYTES) }),
    ...(context.traceId === undefined ? {} : { trace_id: shown(context.traceId, TEXT_BYTES) }),
    settings_version: context.settingsVersion,
  };
}

/** Almost all names and ids: one byte a character, nothing to escape. Under a storm of refusals the difference counts. */
const PLAIN = /^[ -~]*$/;

/** Escaped to one line and cut to `limit` bytes of UTF-8 at a character's border. */
function shown(text: string, limit: number): string {
  if (text.length <= limit && PLAIN.test(text)) return text;
  const escaped = escapeControlCharacters(text.slice(0, limit));
  const bytes = Buffer.from(escaped);
  if (bytes.length <= limit) return escaped;
  let end = limit;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}

/** Three digits are more than any sample is good for. */
function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
