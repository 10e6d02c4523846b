// How much of the processor time this process's control groups are allowed have they used?
import { type CgroupLevel, cgroupLevels } from './cgroup-tree.ts';
import { CounterWindow } from './counter-window.ts';
import { KernelFile, numberIn } from './kernel-file.ts';
import { fullest, type Sample } from './sampler.ts';

/** The files of one group: how much it used so far, and how much it may use. */
type Files = {
  /** In ms: version 1 counts nanoseconds, version 2 microseconds. */
  usageMs(): number | undefined;
  /** Cores' worth of time, or undefined without a quota. */
  quotaCores(): number | undefined;
  close(): void;
};

/** All groups with a quota, from the process's own to the top one; the fullest counts. */
export class CgroupCpu {
  readonly #groups: readonly GroupWindow[];
  readonly #cores: number;

  /** `cores` is how many the process may run on: a quota larger than that is none. */
  static open(root: string, cores: number): CgroupCpu {
    const accounts = cgroupLevels(root, 'cpuacct');
    const files = cgroupLevels(root, 'cpu').map((level) =>
      level.version === 1
        ? openVersion1(
            level,
            accounts.find(({ path }) => path === level.path),
          )
        : openVersion2(level),
    );
    return new CgroupCpu(
      files.filter((group) => group !== undefined),
      cores,
    );
  }

  private constructor(files: readonly Files[], cores: number) {
    this.#groups = files.map((group) => new GroupWindow(group));
    this.#cores = cores;
  }

  /** Percent of the quota used; undefined where no group has one (a quota may come and go while the process runs). */
  sample(nowMs: number): Sample {
    return fullest(this.#groups.map((group) => group.sample(this.#cores, nowMs)));
  }

  close(): void {
    for (const group of this.#groups) group.close();
  }
}

/** One group over time; a changed quota begins a new window. */
class GroupWindow {
  readonly #files: Files;
  #window = new CounterWindow();
  #cores = 0;

  constructor(files: Files) {
    this.#files = files;
  }

  sample(mostCores: number, nowMs: number): Sample {
    const quota = this.#files.quotaCores();
    if (quota === undefined) return undefined;
    const usedMs = this.#files.usageMs();
    if (usedMs === undefined) return undefined;
    const cores = Math.min(quota, mostCores);
    if (cores !== this.#cores) this.#window = new CounterWindow();
    this.#cores = cores;
    return this.#window.observe(usedMs, nowMs * cores, nowMs);
  }

  close(): void {
    this.#files.close();
  }
}

function openVersion2({ directory }: CgroupLevel): Files | undefined {
  const max = KernelFile.open(`${directory}/cpu.max`);
  const stat = KernelFile.open(`${directory}/cpu.stat`);
  if (max === undefined || stat === undefined) return closing(max, stat);
  return {
    usageMs: () => scaled(numberIn(/^usage_usec (\d+)/m.exec(stat.read() ?? '')?.[1]), 1_000),
    quotaCores() {
      const [quotaUs, periodUs] = (max.read() ?? '').split(' ').map(numberIn);
      return coresOf(quotaUs, periodUs);
    },
    close: () => closing(max, stat),
  };
}

function openVersion1({ directory }: CgroupLevel, account: CgroupLevel | undefined): Files | undefined {
  if (account === undefined) return undefined;
  const quota = KernelFile.open(`${directory}/cpu.cfs_quota_us`);
  const period = KernelFile.open(`${directory}/cpu.cfs_period_us`);
  const usage = KernelFile.open(`${account.directory}/cpuacct.usage`);
  if (quota === undefined || period === undefined || usage === undefined)
    return closing(quota, period, usage);
  return {
    usageMs: () => scaled(numberIn(usage.read()), 1_000_000),
    quotaCores() {
      const quotaUs = numberIn(quota.read());
      return quotaUs === undefined || quotaUs <= 0 ? undefined : coresOf(quotaUs, numberIn(period.read()));
    },
    close: () => closing(quota, period, usage),
  };
}

function coresOf(quotaUs: number | undefined, periodUs: number | undefined): number | undefined {
  if (quotaUs === undefined || periodUs === undefined || quotaUs <= 0 || periodUs <= 0) return undefined;
  return quotaUs / periodUs;
}

function scaled(value: number | undefined, perMs: number): number | undefined {
  return value === undefined ? undefined : value / perMs;
}

function closing(...files: readonly (KernelFile | undefined)[]): undefined {
  for (const file of files) file?.close();
}
