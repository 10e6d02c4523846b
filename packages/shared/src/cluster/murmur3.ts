// The hash by which OpenSearch spreads documents over shards: murmur3 of 32 bit over UTF-16LE code units, seed 0, signed.

/** Hash of `text`, as OpenSearch computes it for routing; a half of a surrogate pair counts as the code unit it is. */
export function murmur3(text: string): number {
  let hash = 0;
  const { length } = text;
  // Two code units make one 32-bit block, low unit first.
  const even = length - (length % 2);
  for (let index = 0; index < even; index += 2) {
    hash ^= mixBlock(text.charCodeAt(index) | (text.charCodeAt(index + 1) << 16));
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  if (even < length) hash ^= mixBlock(text.charCodeAt(even));
  hash ^= length * 2;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function mixBlock(block: number): number {
  const mixed = Math.imul(block, 0xcc9e2d51);
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
}
