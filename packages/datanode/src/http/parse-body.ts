// The JSON body of an internal request as its schema says, or an error that names what is wrong with it.
import { WeirError } from '@weir/shared';
import type { z } from 'zod';

export function parseBody<Schema extends z.ZodType>(body: Buffer, schema: Schema): z.infer<Schema> {
  let json: unknown;
  try {
    json = JSON.parse(body.toString());
  } catch (cause) {
    throw new WeirError('parse', 'body is not JSON', { cause });
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new WeirError('illegal_argument', `${issue?.path.join('.')}: ${issue?.message}`);
}
