// What is mounted where, as /proc/self/mountinfo tells it to this process.
import { readOnce } from './kernel-file.ts';

export type Mount = {
  /** `major:minor` of the mounted device; major 0 for file systems without one. */
  readonly device: string;
  /** The directory of the file system that is mounted; not `/` for a bind mount or inside a container. */
  readonly root: string;
  readonly mountPoint: string;
  readonly fsType: string;
  /** Often a device file, such as /dev/sda1. */
  readonly source: string;
  readonly superOptions: readonly string[];
};

/** Reads the table under `root` (empty: the real one). */
export function readMounts(root: string): readonly Mount[] {
  const lines = (readOnce(`${root}/proc/self/mountinfo`) ?? '').split('\n');
  return lines.map(parseMount).filter((mount) => mount !== undefined);
}

/** Fields: id, parent, device, root, mount point, options, any number of tags, `-`, type, source, options of the file system. */
function parseMount(line: string): Mount | undefined {
  const [before, after] = line.split(' - ', 2);
  if (before === undefined || after === undefined) return undefined;
  const [, , device, root, mountPoint] = before.split(' ');
  const [fsType, source, options = ''] = after.split(' ');
  if (device === undefined || root === undefined || mountPoint === undefined) return undefined;
  if (fsType === undefined || source === undefined) return undefined;
  return {
    device,
    root: unescaped(root),
    mountPoint: unescaped(mountPoint),
    fsType,
    source: unescaped(source),
    superOptions: options.split(','),
  };
}

/** Blanks and the like stand in the table as a backslash and three octal digits. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
