// How busy are the cores this process may run on, whoever keeps them busy? From /proc/stat.
import { CounterWindow } from './counter-window.ts';
import { KernelFile, readOnce } from './kernel-file.ts';
import type { Sample } from './sampler.ts';

type Ticks = { readonly busy: number; readonly all: number };

/** Percent of the allowed cores that were busy; stolen time counts as busy, for it was not to be had. */
export class HostCpu {
  readonly #stat: KernelFile;
  readonly #names: ReadonlySet<string>;
  readonly #window = new CounterWindow();
  /** Cores that are online and that the affinity of this process (a cpuset, taskset) leaves to it. */
  readonly cores: number;

  /** Opens it, or returns undefined where there is no /proc/stat. */
  static open(root: string): HostCpu | undefined {
    const stat = KernelFile.open(`${root}/proc/stat`, 'long');
    const online = stat === undefined ? [] : coreNames(stat.read() ?? '');
    if (stat === undefined || online.length === 0) {
      stat?.close();
      return undefined;
    }
    const allowed = allowedCores(readOnce(`${root}/proc/self/status`) ?? '');
    const own = online.filter((name) => allowed?.has(name) !== false);
    return new HostCpu(stat, own.length === 0 ? online : own);
  }

  private constructor(stat: KernelFile, names: readonly string[]) {
    this.#stat = stat;
    this.#names = new Set(names);
    this.cores = names.length;
  }

  sample(nowMs: number): Sample {
    const text = this.#stat.read();
    if (text === undefined) return undefined;
    const { busy, all } = this.#sum(text);
    if (!Number.isFinite(all) || all <= 0) return undefined;
    return this.#window.observe(busy, all, nowMs);
  }

  close(): void {
    this.#stat.close();
  }

  #sum(text: string): Ticks {
    let busy = 0;
    let all = 0;
    for (const line of coreLines(text)) {
      if (!this.#names.has(line.slice(0, line.indexOf(' ')))) continue;
      const ticks = parseTicks(line);
      busy += ticks.busy;
      all += ticks.all;
    }
    return { busy, all };
  }
}

/** The lines `cpu0 …`, `cpu1 …` stand together behind the sum of all. */
function coreLines(text: string): readonly string[] {
  const end = text.indexOf('\nintr');
  return (end === -1 ? text : text.slice(0, end)).split('\n').filter((line) => /^cpu\d/.test(line));
}

function coreNames(text: string): readonly string[] {
  return coreLines(text).map((line) => line.slice(0, line.indexOf(' ')));
}

/** Fields: user nice system idle iowait irq softirq steal; what follows is already part of user and nice. */
function parseTicks(line: string): Ticks {
  const ticks = line.split(/\s+/).slice(1, 9).map(Number);
  const all = ticks.reduce((sum, field) => sum + field, 0);
  return { all, busy: all - (ticks[3] ?? 0) - (ticks[4] ?? 0) };
}

/** The names of the cores in a list such as `0-3,8`; undefined where the kernel does not tell. */
function allowedCores(status: string): ReadonlySet<string> | undefined {
  const list = /^Cpus_allowed_list:\s*([\d,-]+)/m.exec(status)?.[1];
  if (list === undefined) return undefined;
  const names = new Set<string>();
  for (const range of list.split(',')) {
    const [first = Number.NaN, last = first] = range.split('-').map(Number);
    for (let core = first; core <= last; core++) names.add(`cpu${core}`);
  }
  return names;
}
