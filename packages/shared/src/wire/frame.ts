// A frame: a JSON head and raw bytes behind it, so that documents cross the wire byte for byte and unparsed.
import type { z } from 'zod';
import { WeirError } from '../ops/errors.ts';

const LENGTH_BYTES = 4;

/** Builds `[u32 head length][head as JSON][chunks…]`. */
export function encodeFrame(head: unknown, chunks: readonly Buffer[]): Buffer {
  const headBytes = Buffer.from(JSON.stringify(head));
  const length = Buffer.allocUnsafe(LENGTH_BYTES);
  length.writeUInt32BE(headBytes.length);
  return Buffer.concat([length, headBytes, ...chunks]);
}

/** Splits a frame into its validated head and the raw bytes; throws `parse` naming what is wrong. */
export function decodeFrame<Schema extends z.ZodType>(
  frame: Buffer,
  schema: Schema,
): { head: z.infer<Schema>; raw: Buffer } {
  if (frame.length < LENGTH_BYTES) throw new WeirError('parse', `frame of ${frame.length} bytes has no head`);
  const end = LENGTH_BYTES + frame.readUInt32BE(0);
  if (end > frame.length)
    throw new WeirError('parse', `frame head ends at ${end}, frame has ${frame.length} bytes`);
  const parsed = schema.safeParse(parseHead(frame.subarray(LENGTH_BYTES, end)));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new WeirError('parse', `frame head: ${issue?.path.join('.')}: ${issue?.message}`);
  }
  return { head: parsed.data, raw: frame.subarray(end) };
}

function parseHead(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch (cause) {
    throw new WeirError('parse', 'frame head is not JSON', { cause });
  }
}

/** Cuts `raw` into consecutive pieces of the given lengths; throws `parse` when they do not fill it exactly. */
export function cutSources(raw: Buffer, lengths: readonly number[]): Buffer[] {
  let at = 0;
  const pieces = lengths.map((length) => {
    const piece = raw.subarray(at, at + length);
    at += length;
    return piece;
  });
  if (at !== raw.length)
    throw new WeirError('parse', `frame sources take ${at} bytes, frame has ${raw.length}`);
  return pieces;
}
