import { mkdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KernelTree } from '../testing/kernel-tree.ts';
import { IoSampler } from './io-sampler.ts';
import { NO_WINDOW, type Sample } from './sampler.ts';

let tree: KernelTree;
let open: IoSampler[];
/** `major:minor` of the temporary directory, which is the data path of these tests. */
let own: string;

beforeEach(() => {
  tree = new KernelTree();
  open = [];
  const { dev } = statSync(tree.root);
  own = `${(dev >> 8) & 0xfff}:${(dev & 0xff) | ((dev >> 12) & 0xfff00)}`;
});

afterEach(() => {
  for (const sampler of open) sampler.close();
  tree.remove();
});

function stat(busyMs: number): string {
  return `   66326     9272  3918226    20897     8194    42821  2126712    11753        0    ${busyMs}    33784\n`;
}

function oneSecond(change: () => void): Sample {
  const sampler = IoSampler.open(tree.root, tree.root);
  if (sampler === undefined) throw new Error('no io signal');
  open.push(sampler);
  expect(sampler.sample(0)).toBe(NO_WINDOW);
  change();
  return sampler.sample(1_000);
}

describe('the io sampler', () => {
  it('tells how long the disk of the data path was busy', () => {
    tree.write(`sys/dev/block/${own}/stat`, stat(10_000));
    expect(oneSecond(() => tree.write(`sys/dev/block/${own}/stat`, stat(10_800)))).toBe(80);
  });

  it('looks at the whole disk when the data lie on a partition of it', () => {
    tree.write('sys/devices/vda/stat', stat(500)).write('sys/devices/vda/vda1/stat', stat(0));
    tree.write('sys/devices/vda/vda1/partition', '1\n');
    mkdirSync(join(tree.root, 'sys/dev/block'), { recursive: true });
    symlinkSync('../../devices/vda/vda1', join(tree.root, 'sys/dev/block', own));
    expect(oneSecond(() => tree.write('sys/devices/vda/stat', stat(1_200)))).toBe(70);
  });

  it('finds the disk in /proc/diskstats where /sys is not mounted', () => {
    const [major, minor] = own.split(':');
    const lines = (busyMs: number): string =>
      `   1       0 ram0 0 0 0 0 0 0 0 0 0 7 0\n ${major}      ${minor} vda ${stat(busyMs).trim()}\n`;
    tree.write('proc/diskstats', lines(100));
    expect(oneSecond(() => tree.write('proc/diskstats', lines(400)))).toBe(30);
  });

  it('reads a long /proc/diskstats to its end', () => {
    const [major, minor] = own.split(':');
    const others = Array.from({ length: 200 }, (_, n) => `   7  ${n} loop${n} ${stat(0).trim()}\n`).join('');
    const lines = (busyMs: number): string => `${others} ${major} ${minor} vda ${stat(busyMs).trim()}\n`;
    tree.write('proc/diskstats', lines(0));
    expect(oneSecond(() => tree.write('proc/diskstats', lines(600)))).toBe(60);
  });

  it('takes the only real disk where the file system hides its own, as an overlay does', () => {
    tree.write('sys/block/loop0/dev', '7:0\n').write('sys/block/sda/dev', '8:0\n');
    tree.write('sys/block/sda/device/model', 'disk\n').write('sys/dev/block/8:0/stat', stat(0));
    expect(oneSecond(() => tree.write('sys/dev/block/8:0/stat', stat(250)))).toBe(25);
  });

  it('takes none of several disks it could be, and the share of time in which some task waits instead', () => {
    tree.write('sys/block/sda/device/model', 'disk\n').write('sys/block/sdb/device/model', 'disk\n');
    tree.pressure('proc/pressure/io', { someMs: 0, fullMs: 0 });
    expect(oneSecond(() => tree.pressure('proc/pressure/io', { someMs: 640, fullMs: 80 }))).toBe(64);
  });

  it('tells of waits that stop all work, whatever disk they are for, and not of those that do not', () => {
    tree.write(`sys/dev/block/${own}/stat`, stat(0)).pressure('proc/pressure/io', { someMs: 0, fullMs: 0 });
    expect(oneSecond(() => tree.pressure('proc/pressure/io', { someMs: 950, fullMs: 40 }))).toBe(4);
    tree.pressure('proc/pressure/io', { someMs: 0, fullMs: 0 });
    expect(oneSecond(() => tree.pressure('proc/pressure/io', { someMs: 950, fullMs: 910 }))).toBe(91);
  });

  it('prefers the pressure on its own group to that on the host', () => {
    tree.cgroup2({}).pressure('sys/fs/cgroup/io.pressure', { someMs: 0, fullMs: 0 });
    tree.pressure('proc/pressure/io', { someMs: 0, fullMs: 0 });
    const percent = oneSecond(() => {
      tree.pressure('sys/fs/cgroup/io.pressure', { someMs: 100, fullMs: 0 });
      tree.pressure('proc/pressure/io', { someMs: 900, fullMs: 900 });
    });
    expect(percent).toBe(10);
  });

  it('is not to be had where neither a disk nor pressure is known', () => {
    expect(IoSampler.open(tree.root, tree.root)).toBeUndefined();
    expect(IoSampler.open(tree.root, join(tree.root, 'absent'))).toBeUndefined();
  });

  it('C092: is unavailable when the file turns into something else', () => {
    const path = `sys/dev/block/${own}/stat`;
    tree.write(path, stat(0));
    expect(oneSecond(() => tree.write(path, 'a b c d e f g h i j k\n'))).toBeUndefined();
    tree.write(path, stat(0));
    expect(oneSecond(() => tree.write(path, ''))).toBeUndefined();
  });

  it('goes on with the open file when its directory is gone', () => {
    tree.write(`sys/dev/block/${own}/stat`, stat(0));
    expect(oneSecond(() => rmSync(join(tree.root, 'sys'), { recursive: true }))).toBe(0);
  });
});
