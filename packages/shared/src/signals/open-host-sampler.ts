// Puts together the samplers that this system offers: fast files on Linux, systeminformation elsewhere.
import type { Clock, Timers } from '../ops/clock.ts';
import { CpuSampler } from './cpu-sampler.ts';
import { EventLoopSampler } from './event-loop-sampler.ts';
import { FieldWarnings, type Warn } from './field-warnings.ts';
import { HeapSampler } from './heap-sampler.ts';
import { IoSampler } from './io-sampler.ts';
import { HostSampler } from './node-sampler.ts';
import { PortableCpuSampler } from './portable-cpu-sampler.ts';
import type { Sampler } from './sampler.ts';

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
  const samplers = {
    cpu: openHostCpu(warnings, root),
    heap: new HeapSampler({ root, warnings }),
    io: dataPath === undefined ? undefined : openHostIo(dataPath, warnings, root),
    event_loop: new EventLoopSampler(),
  };
  return new HostSampler({ samplers, clock, timers, warnings });
}

/** The processor of this host, or this process's share of it. */
export function openHostCpu(warnings: FieldWarnings, root = ''): Sampler {
  return CpuSampler.open(root, warnings) ?? new PortableCpuSampler();
}

/** The way to the disk below a path of this host; undefined, with a warning, where nothing tells of it. */
export function openHostIo(dataPath: string, warnings: FieldWarnings, root = ''): Sampler | undefined {
  const io = IoSampler.open(root, dataPath);
  if (io === undefined)
    warnings.warn('io', 'neither the disk of the data path nor io pressure can be read: io is unknown', {
      data_path: dataPath,
    });
  return io;
}
