// What a data node answers to a shard request: applied, refused with its evidence, or failed; with its newest stats where it has any.
import { z } from 'zod';
import { REASON_NAMES, type RefusalReason } from '../admission/reasons.ts';
import { ROLES, SIGNALS } from '../admission/signals.ts';
import type { Evidence } from '../admission/verdict.ts';
import { ERROR_CODES, type ErrorCode } from '../ops/errors.ts';
import { nodeStatsSchema } from './node-stats.ts';
import type { OperationResult } from './operation.ts';

const reasons = REASON_NAMES.filter((name): name is RefusalReason => name !== 'evidence_unavailable');

/** Words of a newer version give way to general ones: a refusal stays a refusal and a failure a failure while versions mix (C155). */
const evidenceFields = z.object({
  reason: z
    .enum(reasons as [RefusalReason, ...RefusalReason[]])
    .nullable()
    .catch(null),
  role: z.enum(ROLES).catch('primary'),
  node: z.string(),
  signal: z.enum([...SIGNALS, 'bytes', 'none']).catch('none'),
  value: z.number(),
  limit: z.number(),
  stress: z.number(),
  ageMs: z.number(),
  retryAfterMs: z.number(),
});

const evidenceSchema = evidenceFields.transform(({ reason, ...rest }): Evidence => {
  if (reason !== null) return { reason, ...rest };
  return { ...rest, reason: rest.role === 'replica' ? 'replica_limit' : 'primary_limit', signal: 'none' };
});

/** Stats that cannot be read say nothing; the answer they came with counts all the same. */
export const statsSchema = nodeStatsSchema.optional().catch(undefined).optional();

/** A refusal with its evidence. `permanent`: alone over the byte limit, can never pass (413 instead of 429). */
export const refusedSchema = z.object({
  outcome: z.literal('refused'),
  evidence: evidenceSchema,
  permanent: z.boolean(),
  decisionId: z.string(),
});

const codes = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]];

/** Nothing is said of single operations; whether any was applied tells the message. */
export const failedSchema = z.object({
  outcome: z.literal('failed'),
  code: z.enum(codes).catch('unavailable'),
  message: z.string(),
});

const answerSchema = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('applied'),
    results: z.array(z.custom<OperationResult>(isItem)),
    stats: statsSchema,
  }),
  refusedSchema.extend({ stats: statsSchema }),
  failedSchema.extend({ stats: statsSchema }),
]);

/** A data node's answer to a shard request of a coordinator or of a primary (where `results` is empty). */
export type ShardAnswer = z.infer<typeof answerSchema>;

/** The answer in a response body, or undefined where it is not one. */
export function parseShardAnswer(body: Buffer): ShardAnswer | undefined {
  try {
    return answerSchema.safeParse(JSON.parse(body.toString())).data;
  } catch {
    return undefined;
  }
}

/** A thousand results per answer are common: only their shape is looked at. */
function isItem(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'ok' in value && 'status' in value;
}
