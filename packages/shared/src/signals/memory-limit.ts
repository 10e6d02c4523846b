// How much memory may the container of this process use?
import { cgroupLevels } from './cgroup-tree.ts';
import { numberIn, readOnce } from './kernel-file.ts';

/** Version 1 writes "no limit" as the largest multiple of a page below 2^63; nothing real comes near 2^60. */
const NO_LIMIT_BYTES = 2 ** 60;

/** The smallest limit of all groups around this process, read now; undefined where none has one. */
export function containerMemoryLimitBytes(root: string): number | undefined {
  const limits = cgroupLevels(root, 'memory')
    .map(({ version, directory }) =>
      readOnce(`${directory}/${version === 1 ? 'memory.limit_in_bytes' : 'memory.max'}`),
    )
    .map(numberIn)
    .filter((bytes) => bytes !== undefined)
    .filter((bytes) => bytes > 0 && bytes < NO_LIMIT_BYTES);
  return limits.length === 0 ? undefined : Math.min(...limits);
}
