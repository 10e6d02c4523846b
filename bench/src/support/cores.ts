// Which cores may this process run on, and how are they shared out so that one program has one to itself?
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** One core for what is to be the bottleneck, the other ones for everything else. */
export type Cores = { readonly own: readonly number[]; readonly others: readonly number[] };

export function shareOutCores(): Cores {
  const allowed = process.platform === 'linux' ? allowedCores() : [];
  const own = allowed.at(-1);
  if (own === undefined || allowed.length < 2 || spawnSync('taskset', ['--version']).status !== 0)
    throw new Error('this benchmark needs Linux, taskset and at least two cores');
  return { own: [own], others: allowed.slice(0, -1) };
}

function allowedCores(): readonly number[] {
  const list = /^Cpus_allowed_list:\s+(.*)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
  });
}

/** Keeps all threads of this process on these cores from now on. */
export function stayOn(cpus: readonly number[]): void {
  const { status } = spawnSync('taskset', ['-acp', cpus.join(','), String(process.pid)]);
  if (status !== 0) throw new Error('taskset could not move this process');
}
