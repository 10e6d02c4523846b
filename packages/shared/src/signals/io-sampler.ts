// How full is the way to the data: the time its disk is busy, or the time in which everything waits for io, whichever is more.
import { BlockDevice } from './block-device.ts';
import { cgroupLevels } from './cgroup-tree.ts';
import { PressureFile } from './pressure-file.ts';
import { fullest, type Sample, type Sampler } from './sampler.ts';

/** Reads the disk's busy time and the io pressure of the process's own group, where it has one, else of the host. */
export class IoSampler implements Sampler {
  readonly #disk: BlockDevice | undefined;
  readonly #pressure: PressureFile | undefined;

  /** Opens it for the directory of the data, or returns undefined where neither a disk nor pressure information is found. */
  static open(root: string, dataPath: string): IoSampler | undefined {
    const disk = BlockDevice.open(root, dataPath);
    const groups = cgroupLevels(root, 'io').filter(({ version }) => version === 2);
    const own = groups.slice(0, 1).map(({ directory }) => `${directory}/io.pressure`);
    const pressure = PressureFile.open([...own, `${root}/proc/pressure/io`]);
    return disk === undefined && pressure === undefined ? undefined : new IoSampler(disk, pressure);
  }

  private constructor(disk: BlockDevice | undefined, pressure: PressureFile | undefined) {
    this.#disk = disk;
    this.#pressure = pressure;
  }

  /**
   * Beside the disk only `full` counts, for it means that no work gets done (swapping shows there too), while `some` also counts waits
   * for other disks. Without a known disk `some` stands for its busy time: with writers that wait for their fsync the two were within
   * 15 points of each other.
   */
  sample(nowMs: number): Sample {
    const waits = this.#pressure?.sample(nowMs);
    if (this.#disk === undefined) return waits?.some;
    return fullest([this.#disk.sample(nowMs), waits?.full]);
  }

  close(): void {
    this.#disk?.close();
    this.#pressure?.close();
  }
}
