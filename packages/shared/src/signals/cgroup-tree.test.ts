import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KernelTree } from '../testing/kernel-tree.ts';
import { cgroupLevels } from './cgroup-tree.ts';

let tree: KernelTree;

beforeEach(() => {
  tree = new KernelTree();
});

afterEach(() => tree.remove());

function directories(controller: 'cpu' | 'memory'): string[] {
  return cgroupLevels(tree.root, controller).map(({ directory }) => directory.slice(tree.root.length));
}

function makeDirectory(path: string): void {
  mkdirSync(join(tree.root, path), { recursive: true });
}

describe('the control groups of this process', () => {
  it('go from its own to the top one', () => {
    tree
      .write('proc/self/cgroup', '0::/a/b\n')
      .write('proc/self/mountinfo', '30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n');
    makeDirectory('sys/fs/cgroup/a/b');
    expect(directories('cpu')).toEqual(['/sys/fs/cgroup/a/b', '/sys/fs/cgroup/a', '/sys/fs/cgroup']);
  });

  it('are found where both versions stand side by side and mount points have blanks', () => {
    tree
      .write('proc/self/cgroup', '4:memory:/\n1:name=systemd:/x\n0::/own\n')
      .write(
        'proc/self/mountinfo',
        '31 25 0:27 / /sys/fs/c\\040group/memory rw shared:5 - cgroup cgroup rw,memory\n' +
          '33 25 0:29 / /sys/fs/unified rw - cgroup2 cgroup2 rw\n',
      );
    makeDirectory('sys/fs/c group/memory');
    makeDirectory('sys/fs/unified/own');
    expect(directories('memory')).toEqual(['/sys/fs/c group/memory']);
    expect(directories('cpu')).toEqual(['/sys/fs/unified/own', '/sys/fs/unified']);
  });

  it('begin at the lowest one that can be seen', () => {
    tree
      .write('proc/self/cgroup', '0::/hidden/deep\n')
      .write('proc/self/mountinfo', '30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n');
    makeDirectory('sys/fs/cgroup');
    expect(directories('cpu')).toEqual(['/sys/fs/cgroup']);
  });

  it('begin at the top where the path leads out of what is mounted', () => {
    tree
      .write('proc/self/cgroup', '0::/../other\n')
      .write('proc/self/mountinfo', '30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n');
    makeDirectory('sys/fs/cgroup');
    expect(directories('cpu')).toEqual(['/sys/fs/cgroup']);
  });

  it('are none without the files that tell of them', () => {
    expect(directories('cpu')).toEqual([]);
    tree.write('proc/self/cgroup', 'what\n::\n').write('proc/self/mountinfo', 'what - \n - \n\n');
    expect(directories('cpu')).toEqual([]);
  });
});
