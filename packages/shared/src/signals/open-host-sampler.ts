// Puts together the samplers that this system offers: fast files on Linux, systeminformation elsewhere.
import type { Clock, Timers } from '../ops/clock.ts';
import { CpuSampler } from './cpu-sampler.ts';
import { EventLoopSampler } from './event-loop-sampler.ts';
import { FieldWarnings, type Warn } from './field-warnings.ts';
import { HeapSampler } from './heap-sampler.ts';
import { IoSampler } from './io-sampler.ts';
import { HostSampler } from './node-sampler.ts';
import { PortableCpuSampler } from './portable-cpu-sampler.ts';

export type HostSamplerSetup = {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly warn: Warn;
  /** Where the data lies; without it (a coordinator) there is no io signal. */
  readonly dataPath?: string;
  /** Put before /proc and /sys; for tests. */
  readonly root?: string;
};

/** A sampler of this process and its host, not yet started. */
export function openHostSampler({ clock, timers, warn, dataPath, root = '' }: HostSamplerSetup): HostSampler {
  const warnings = new FieldWarnings(warn, clock);
  const io = dataPath === undefined ? undefined : IoSampler.open(root, dataPath);
  if (dataPath !== undefined && io === undefined) {
    warnings.warn('io', 'neither the disk of the data path nor io pressure can be read: io is unknown', {
      data_path: dataPath,
    });
  }
  const samplers = {
    cpu: CpuSampler.open(root, warnings) ?? new PortableCpuSampler(),
    heap: new HeapSampler({ root, warnings }),
    io,
    event_loop: new EventLoopSampler(),
  };
  return new HostSampler({ samplers, clock, timers, warnings });
}
