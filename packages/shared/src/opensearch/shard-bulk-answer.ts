// An agent's answer to a shard request: what its node answered, byte for byte, or why its node was not asked or did not answer.
import { z } from 'zod';
import { decodeFrame, encodeFrame } from '../wire/frame.ts';
import { failedSchema, refusedSchema, statsSchema } from '../wire/shard-answer.ts';

const headSchema = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('applied'), status: z.number().int(), stats: statsSchema }),
  refusedSchema.extend({ stats: statsSchema }),
  failedSchema.extend({ stats: statsSchema }),
]);

type Head = z.infer<typeof headSchema>;

/** `applied`: as far as the node's answer, with this status and body, says so. */
export type ShardBulkAnswer =
  | (Extract<Head, { outcome: 'applied' }> & { readonly body: Buffer })
  | Exclude<Head, { outcome: 'applied' }>;

export function encodeShardBulkAnswer(answer: ShardBulkAnswer): Buffer {
  if (answer.outcome !== 'applied') return encodeFrame(answer, []);
  const { body, ...head } = answer;
  return encodeFrame(head, [body]);
}

/** The answer in a response body, or undefined where it is not one. */
export function decodeShardBulkAnswer(frame: Buffer): ShardBulkAnswer | undefined {
  try {
    const { head, raw } = decodeFrame(frame, headSchema);
    return head.outcome === 'applied' ? { ...head, body: raw } : head;
  } catch {
    return undefined;
  }
}
