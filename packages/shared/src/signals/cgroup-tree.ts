// Where are the control groups of this process, of version 1 and 2 or both side by side?
import { existsSync } from 'node:fs';
import { readOnce } from './kernel-file.ts';
import { type Mount, readMounts } from './mount-table.ts';

export type CgroupController = 'cpu' | 'cpuacct' | 'memory' | 'io';

/** One group this process is in; every group above it limits it too. */
export type CgroupLevel = {
  readonly version: 1 | 2;
  readonly directory: string;
  /** Path below the mount point, empty at the top: the same group has the same path under every controller of version 1. */
  readonly path: string;
};

/** The groups of a controller that this process is in, its own first, up to the top one it can see; empty where there are none. */
export function cgroupLevels(root: string, controller: CgroupController): readonly CgroupLevel[] {
  const membership = (readOnce(`${root}/proc/self/cgroup`) ?? '').split('\n').map(parseMembership);
  const mounts = readMounts(root);
  const first = membership.find((entry) => entry?.controllers.includes(controller) === true);
  const firstMount = mounts.find(
    ({ fsType, superOptions }) => fsType === 'cgroup' && superOptions.includes(controller),
  );
  if (first !== undefined && firstMount !== undefined) return levelsOf(root, 1, firstMount, first.path);
  const second = membership.find((entry) => entry?.hierarchy === '0');
  const secondMount = mounts.find(({ fsType }) => fsType === 'cgroup2');
  if (second === undefined || secondMount === undefined) return [];
  return levelsOf(root, 2, secondMount, second.path);
}

/** A line is `number:controllers:path`; version 2 has number 0 and no controllers. */
function parseMembership(
  line: string,
): { hierarchy: string; controllers: readonly string[]; path: string } | undefined {
  const match = /^(\d+):([^:]*):(\/.*)$/.exec(line);
  const [, hierarchy, controllers, path] = match ?? [];
  if (hierarchy === undefined || controllers === undefined || path === undefined) return undefined;
  return { hierarchy, controllers: controllers.split(','), path };
}

function levelsOf(root: string, version: 1 | 2, mount: Mount, path: string): readonly CgroupLevel[] {
  const levels: CgroupLevel[] = [];
  let below = belowMount(mount.root, path);
  for (;;) {
    const directory = `${root}${mount.mountPoint}${below}`;
    if (existsSync(directory)) levels.push({ version, directory, path: below });
    if (below === '') return levels;
    below = below.slice(0, below.lastIndexOf('/'));
  }
}

/** A container often sees its own group mounted as the top one, while its path is still the host's. */
function belowMount(mountRoot: string, path: string): string {
  const within = mountRoot === '/' || path === mountRoot || path.startsWith(`${mountRoot}/`);
  if (!within || path.includes('/..')) return '';
  return (mountRoot === '/' ? path : path.slice(mountRoot.length)).replace(/\/$/, '');
}
