// A made-up /proc and /sys on disk, so that samplers can be shown any machine.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Real files in a temporary directory; its path is the samplers' `root`. */
export class KernelTree {
  readonly root = mkdtempSync(join(tmpdir(), 'weir-kernel-'));

  /** Writes a file in place, so that a descriptor opened before sees the new text. */
  write(path: string, text: string): this {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return this;
  }

  /** /proc/stat with the busy and idle time of each core in ticks of 10 ms. */
  cores(...cores: readonly { readonly busy: number; readonly idle: number }[]): this {
    const lines = cores.map(({ busy, idle }, core) => `cpu${core} ${busy} 0 0 ${idle} 0 0 0 0 0 0\n`);
    return this.write('proc/stat', `cpu  0 0 0 0 0 0 0 0 0 0\n${lines.join('')}intr 12345 0 1\nctxt 5\n`);
  }

  /** A container that sees its own group of version 2 as the top one. */
  cgroup2(files: Readonly<Record<string, string>>): this {
    this.write('proc/self/cgroup', '0::/\n').write(
      'proc/self/mountinfo',
      '30 24 0:26 / /sys/fs/cgroup ro,nosuid - cgroup2 cgroup rw,nsdelegate\n',
    );
    return this.#files('sys/fs/cgroup', files);
  }

  /** A container of version 1, whose own group is mounted as the top one while its path is still the host's. */
  cgroup1(files: Readonly<Record<string, string>>): this {
    this.write('proc/self/cgroup', '4:memory:/docker/ab\n3:cpu,cpuacct:/docker/ab\n').write(
      'proc/self/mountinfo',
      '31 25 0:27 /docker/ab /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup rw,cpu,cpuacct\n' +
        '32 25 0:28 /docker/ab /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n',
    );
    return this.#files('sys/fs/cgroup', files);
  }

  /** The pressure totals of a resource in ms. */
  pressure(path: string, totals: { readonly someMs: number; readonly fullMs: number }): this {
    const line = (ms: number): string => `avg10=0.00 avg60=0.00 avg300=0.00 total=${ms * 1_000}`;
    return this.write(path, `some ${line(totals.someMs)}\nfull ${line(totals.fullMs)}\n`);
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  #files(directory: string, files: Readonly<Record<string, string>>): this {
    for (const [name, text] of Object.entries(files)) this.write(`${directory}/${name}`, text);
    return this;
  }
}
