// How full is the processor for this process: the host's cores or its share of them, whichever is fuller, in percent of what it may use?
import { CgroupCpu } from './cgroup-cpu.ts';
import type { FieldWarnings } from './field-warnings.ts';
import { HostCpu } from './host-cpu.ts';
import { PressureFile } from './pressure-file.ts';
import type { Sample, Sampler } from './sampler.ts';

/** A full host makes tasks wait for a core; below this share of the time nobody does. */
const WAITED_PERCENT = 10;
/** Host and group may differ by a lot for good reasons; beyond this a person should know which one is believed. */
const FAR_APART_POINTS = 50;

/** Reads /proc/stat and, under a quota, the groups' own counters. */
export class CpuSampler implements Sampler {
  readonly #host: HostCpu;
  readonly #group: CgroupCpu;
  readonly #pressure: PressureFile | undefined;
  readonly #warnings: FieldWarnings;

  /** Opens it, or returns undefined where there is no /proc/stat. */
  static open(root: string, warnings: FieldWarnings): CpuSampler | undefined {
    const host = HostCpu.open(root);
    if (host === undefined) return undefined;
    const pressure = PressureFile.open([`${root}/proc/pressure/cpu`]);
    return new CpuSampler(host, CgroupCpu.open(root, host.cores), pressure, warnings);
  }

  private constructor(
    host: HostCpu,
    group: CgroupCpu,
    pressure: PressureFile | undefined,
    warnings: FieldWarnings,
  ) {
    this.#host = host;
    this.#group = group;
    this.#pressure = pressure;
    this.#warnings = warnings;
  }

  sample(nowMs: number): Sample {
    const host = this.#host.sample(nowMs);
    const group = this.#group.sample(nowMs);
    const waited = this.#pressure?.sample(nowMs).some;
    if (group === undefined) return host;
    if (typeof group !== 'number' || typeof host !== 'number' || host <= group) return group;
    return this.#judge(host, group, waited);
  }

  close(): void {
    this.#host.close();
    this.#group.close();
    this.#pressure?.close();
  }

  /**
   * The host says that it is fuller than our own share of it. That is so when neighbours take the cores, and then tasks are seen to
   * wait for one. When none wait, the host's figure is wrong or does not concern us (some containers show a constant 100 %).
   */
  #judge(host: number, group: number, waited: Sample): number {
    if (typeof waited === 'number' && waited >= WAITED_PERCENT) return host;
    if (host - group > FAR_APART_POINTS) {
      this.#warnings.warn(
        'cpu.self_check',
        'host and cgroup disagree on the cpu and no task waits for a core: the cgroup is believed',
        { host_percent: Math.round(host), cgroup_percent: Math.round(group) },
      );
    }
    return group;
  }
}
