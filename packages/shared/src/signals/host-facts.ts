// What kind of machine is this? Read once at the start through systeminformation, which knows every system but is too slow to ask often.

export type HostFacts = {
  readonly os: string;
  readonly osVersion: string;
  readonly kernel: string;
  readonly architecture: string;
  readonly cpuModel: string;
  readonly cores: number;
  readonly memoryBytes: number;
};

/** Starts child processes on some systems; call it once, never under load. */
export async function readHostFacts(): Promise<HostFacts> {
  // Loading it takes tens of milliseconds that a process which never asks need not spend.
  const { cpu, mem, osInfo } = await import('systeminformation');
  const [system, processor, memory] = await Promise.all([osInfo(), cpu(), mem()]);
  return {
    os: system.distro,
    osVersion: system.release,
    kernel: system.kernel,
    architecture: system.arch,
    cpuModel: `${processor.manufacturer} ${processor.brand}`.trim(),
    cores: processor.cores,
    memoryBytes: memory.total,
  };
}
