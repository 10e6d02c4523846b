// At how many bytes does this process die of its heap? V8's old generation or the container, whichever ends first.
import { getHeapStatistics } from 'node:v8';
import { containerMemoryLimitBytes } from './memory-limit.ts';

const MIB = 2 ** 20;
/** V8 counts three semi-spaces into `heap_size_limit`; what lives there never needs more than the old generation has room for. */
const SEMI_SPACES = 3;
/** The largest semi-space V8 takes by itself, also whenever only the old generation's size is given. */
const LARGEST_SEMI_SPACE_BYTES = 16 * MIB;
/** Where V8 chooses both, a semi-space is this part of the old generation, up to the largest. */
const OLD_PER_SEMI_SPACE = 128;

/**
 * The part of `heap_size_limit` that the old generation can fill: the process dies at its end, with used ÷ limit still near 83 % when
 * 256 MiB were asked for. `flags` are the process's own (`process.execArgv` and NODE_OPTIONS); the last one of a kind holds.
 */
export function usableHeapBytes(heapSizeLimitBytes: number, flags: readonly string[]): number {
  const oldMib = flagValue(flags, 'max-old-space-size');
  if (oldMib !== undefined && oldMib > 0) return Math.min(oldMib * MIB, heapSizeLimitBytes);
  const semiMib = flagValue(flags, 'max-semi-space-size');
  const young = semiMib === undefined ? chosenYoungBytes(heapSizeLimitBytes) : SEMI_SPACES * semiMib * MIB;
  return Math.max(heapSizeLimitBytes - young, heapSizeLimitBytes / 2);
}

/** The limit of this process: its usable heap or its container's memory, whichever is smaller. */
export function realHeapLimitBytes(root = ''): number {
  const usableBytes = usableHeapBytes(getHeapStatistics().heap_size_limit, ownHeapFlags());
  return Math.min(usableBytes, containerMemoryLimitBytes(root) ?? usableBytes);
}

/** Flags of this process, in the order in which V8 takes them. */
export function ownHeapFlags(): readonly string[] {
  return [...(process.env['NODE_OPTIONS'] ?? '').split(/\s+/), ...process.execArgv];
}

/** Solves limit = old + 3 × old ÷ 128 for the three semi-spaces. */
function chosenYoungBytes(heapSizeLimitBytes: number): number {
  const share = SEMI_SPACES / (OLD_PER_SEMI_SPACE + SEMI_SPACES);
  return Math.min(heapSizeLimitBytes * share, SEMI_SPACES * LARGEST_SEMI_SPACE_BYTES);
}

function flagValue(flags: readonly string[], name: string): number | undefined {
  const pattern = new RegExp(`^--${name.replaceAll('-', '[-_]')}=(\\d+)$`);
  const value = flags.map((flag) => pattern.exec(flag)?.[1]).findLast((found) => found !== undefined);
  return value === undefined ? undefined : Number(value);
}
