// What identifies a shard request by its content, so that a retry of the same items is known again?
import { crc32 } from 'node:zlib';
import type { Operation } from '../wire/operation.ts';

/** The part of an operation its digest is taken over. */
export type DigestedOperation = Pick<Operation, 'kind' | 'id' | 'autoId' | 'routing' | 'source'>;

/**
 * Hash of kinds, routing, source bytes and the ids the client gave (an id made here differs from try to try).
 * 32 bits; the order of the operations does not count, since a client may resend its refused items in another one.
 */
export function digestOf(operations: readonly DigestedOperation[]): number {
  let digest = operations.length;
  let last: { readonly words: string; readonly hash: number } | undefined;
  for (const operation of operations) {
    const words = `${operation.kind}\0${operation.autoId ? '' : operation.id}\0${operation.routing ?? ''}`;
    // Of documents without ids these are the same for all.
    if (last?.words !== words) last = { words, hash: crc32(words) };
    const hash = crc32(operation.source, last.hash);
    // Squared and scrambled before the sum: sums of checksums alone would cancel out too easily.
    digest = (digest + Math.imul(hash ^ (hash >>> 15), hash | 1)) >>> 0;
  }
  return digest;
}
