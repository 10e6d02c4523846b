// What a primary's node asks of a replica's before a write has any effect: a permit for its bytes, until it is given back or its time is over.
import { z } from 'zod';
import { refusedSchema } from './shard-answer.ts';

export const reserveRequestSchema = z.object({
  index: z.string(),
  shard: z.number().int().min(0),
  operations: z.number().int().min(0),
  bytes: z.number().min(0),
  /** What a verdict hangs on while something is shed: the same for a retry. */
  digest: z.number(),
  request_id: z.string(),
  bulk_id: z.string().optional(),
  /** The permit ends by itself after this time, however its holder fares. */
  hold_ms: z.number().min(0),
});
export type ReserveRequest = z.infer<typeof reserveRequestSchema>;

export const releaseRequestSchema = z.object({ permit: z.string() });

const answerSchema = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('granted'), permit: z.string() }),
  refusedSchema,
]);
export type ReserveAnswer = z.infer<typeof answerSchema>;

/** The answer in a response body, or undefined where it is not one. */
export function parseReserveAnswer(body: Buffer): ReserveAnswer | undefined {
  try {
    return answerSchema.safeParse(JSON.parse(body.toString())).data;
  } catch {
    return undefined;
  }
}
