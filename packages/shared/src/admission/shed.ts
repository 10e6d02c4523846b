// Is this shard request among those refused now? The same bytes get the same answer for a whole epoch.
import { createHash } from 'node:crypto';

/** What the hash is taken over beside the request itself; the salt keeps clients from choosing their place. */
export type ShedKey = { readonly epoch: number; readonly salt: number };

/** Secret number of a cluster, the same at every node of it. */
export function shedSalt(clusterName: string, clusterSecret: string | undefined): number {
  return createHash('sha256')
    .update(`${clusterName}\0${clusterSecret ?? ''}`)
    .digest()
    .readUInt32LE(0);
}

/** Number of the epoch that `wallMs` falls in. */
export function epochNumber(wallMs: number, epochMs: number): number {
  return Math.floor(wallMs / epochMs);
}

/** A request's place in [0, 1); it is refused while its place is below the stress, so a rising stress only adds refusals. */
export function shedPlace(digest: number, index: string, shard: number, key: ShedKey): number {
  let hash = mix(digest ^ key.salt);
  hash = mix(hash ^ hashOf(index));
  hash = mix(hash ^ shard);
  hash = mix(hash ^ key.epoch);
  return hash / 4_294_967_296;
}

/** Spreads 32 bits over 32 bits (the finalizer of murmur3, with a constant that moves 0). */
function mix(bits: number): number {
  let hash = (bits + 0x9e3779b9) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** FNV-1a over the code units: for a name of some letters faster than a call into native code. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}
