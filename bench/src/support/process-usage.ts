// How much memory and processor time has another process used, by the kernel's own count?
import { readFileSync } from 'node:fs';

/** The kernel's clock ticks: 100 a second on every Linux that Node runs on. */
const MS_PER_TICK = 10;
const BYTES_PER_KB = 1024;

/** Highest resident memory since the start. */
export function peakRssMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kb = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]);
  return Math.round((kb * BYTES_PER_KB) / 1e6);
}

/** Processor time of all threads since the start. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name stands in brackets and may hold anything; user and system time are the 12th and 13th field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}
