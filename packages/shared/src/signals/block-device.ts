// On which disk does a directory lie, and for what share of the time is that disk busy?
import { readdirSync, statSync } from 'node:fs';
import { CounterWindow } from './counter-window.ts';
import { KernelFile, readOnce } from './kernel-file.ts';
import { readMounts } from './mount-table.ts';
import type { Sample } from './sampler.ts';

/** Where the busy time stands: ten fields into a line, after the names that /proc/diskstats puts before them. */
const BUSY_MS_FIELD = 9;
const DISKSTATS_NAMES = 3;

/** Busy time of one disk: how long it had at least one request in flight. */
export class BlockDevice {
  readonly #file: KernelFile;
  readonly #busyMs: (text: string) => number | undefined;
  readonly #window = new CounterWindow();

  /** Finds the disk of `path`; undefined where it has none that is known here (network and memory file systems, some overlays). */
  static open(root: string, path: string): BlockDevice | undefined {
    for (const device of candidates(root, path)) {
      const found = openSysfs(root, device) ?? openDiskstats(root, device);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Takes over an open file, unless the busy time cannot be found in it. */
  static from(file: KernelFile, busyMs: (text: string) => number | undefined): BlockDevice | undefined {
    if (busyMs(file.read() ?? '') !== undefined) return new BlockDevice(file, busyMs);
    file.close();
    return undefined;
  }

  private constructor(file: KernelFile, busyMs: (text: string) => number | undefined) {
    this.#file = file;
    this.#busyMs = busyMs;
  }

  /** Percent of the time the disk was busy. */
  sample(nowMs: number): Sample {
    const busyMs = this.#busyMs(this.#file.read() ?? '');
    return busyMs === undefined ? undefined : this.#window.observe(busyMs, nowMs, nowMs);
  }

  close(): void {
    this.#file.close();
  }
}

/** `major:minor` of the device itself, of the source of its mount, and of the only real disk there is, as far as they exist. */
function candidates(root: string, path: string): readonly string[] {
  const own = numberOf(() => statSync(path, { bigint: true }).dev);
  return [own, mountedFrom(root, own), onlyDisk(root)].filter((device) => device !== undefined);
}

/** Linux packs both numbers into one: 12 + 8 bits at the bottom, the rest of each above. */
function numberOf(read: () => bigint): string | undefined {
  try {
    const device = read();
    const major = ((device >> 8n) & 0xfffn) | ((device >> 32n) & ~0xfffn);
    const minor = (device & 0xffn) | ((device >> 12n) & ~0xffn);
    return `${major}:${minor}`;
  } catch {
    return undefined;
  }
}

/** Some file systems (btrfs, bind mounts of them) have a number of their own; their mount still names the device file. */
function mountedFrom(root: string, device: string | undefined): string | undefined {
  const source = readMounts(root).find((mount) => mount.device === device)?.source;
  if (source?.startsWith('/dev/') !== true) return undefined;
  return numberOf(() => statSync(`${root}${source}`, { bigint: true }).rdev);
}

/** An overlay hides the disk below it; where the host has one disk only, that is the one. */
function onlyDisk(root: string): string | undefined {
  const disks = namesIn(`${root}/sys/block`).filter(
    (name) => namesIn(`${root}/sys/block/${name}/device`).length > 0,
  );
  return disks.length === 1 ? readOnce(`${root}/sys/block/${disks[0]}/dev`)?.trim() : undefined;
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** A partition's own busy time leaves out what its neighbours do to the same disk. */
function openSysfs(root: string, device: string): BlockDevice | undefined {
  const directory = `${root}/sys/dev/block/${device}`;
  const isPartition = readOnce(`${directory}/partition`) !== undefined;
  const file = KernelFile.open(`${directory}${isPartition ? '/..' : ''}/stat`);
  return file && BlockDevice.from(file, (text) => busyField(text, 0));
}

function openDiskstats(root: string, device: string): BlockDevice | undefined {
  const file = KernelFile.open(`${root}/proc/diskstats`, 'long');
  const line = new RegExp(`^ *${device.replace(':', ' +')} .*$`, 'm');
  return file && BlockDevice.from(file, (text) => busyField(line.exec(text)?.[0], DISKSTATS_NAMES));
}

function busyField(line: string | undefined, before: number): number | undefined {
  const field = line?.trim().split(/\s+/)[before + BUSY_MS_FIELD];
  return field === undefined || !/^\d+$/.test(field) ? undefined : Number(field);
}
