// Runs one load against one target and turns it into a row of the benchmark.
import { REASONS, type RefusalReason, systemClock } from '@weir/shared';
import { runForJson } from '../support/child.ts';
import type { Cores } from '../support/cores.ts';
import { rounded, type TableRow } from '../support/figures.ts';
import { cpuMs } from '../support/process-usage.ts';
import { LARGE_DOCUMENTS } from './large-documents.ts';
import type { Load, LoadResult, LoadWindow } from './load-kinds.ts';
import type { Target } from './targets.ts';

export type Timing = Pick<LoadWindow, 'warmUpMs' | 'measureMs'>;

/** How a load ended and which share of a core each process of the target used meanwhile. */
export type Measured = LoadResult & {
  readonly goodputPerS: number;
  readonly cpuShares: Readonly<Record<string, number>>;
};

export const DEADLINE_MS = 1_000;
const requests = { kind: 'updates', documents: LARGE_DOCUMENTS } as const;
let seed = 0;

export function closedLoad(target: Target, concurrency: number, timing: Timing, cores: Cores) {
  return runLoad(target.processes, { ...common(target, timing), kind: 'closed', concurrency }, cores);
}

export function openLoad(target: Target, ratePerS: number, timing: Timing, cores: Cores) {
  return runLoad(target.processes, { ...common(target, timing), kind: 'open', ratePerS }, cores);
}

/** A new seed each time: no two runs send the same bytes. */
function common({ origin }: Target, timing: Timing) {
  seed += 1;
  return { origin, requests, deadlineMs: DEADLINE_MS, seed, ...timing };
}

/** Runs the load process beside what is measured, away from the bottleneck's core. */
export async function runLoad(
  processes: Readonly<Record<string, { readonly pid: number }>>,
  load: Load,
  cores: Cores,
): Promise<Measured> {
  const usage = (): readonly (readonly [string, number])[] =>
    Object.entries(processes).map(([name, { pid }]) => [name, cpuMs(pid)]);
  const before = new Map(usage());
  const startMs = systemClock.nowMs();
  const file = new URL('./load-process.js', import.meta.url);
  const result = (await runForJson(file, [JSON.stringify(load)], cores.others)) as LoadResult;
  const elapsedMs = systemClock.nowMs() - startMs;
  const cpuShares = usage().map(([name, ms]) => [
    name,
    rounded((ms - (before.get(name) ?? 0)) / elapsedMs, 2),
  ]);
  return {
    ...result,
    goodputPerS: rounded((result.inTime / result.measuredMs) * 1_000, 1),
    cpuShares: Object.fromEntries(cpuShares) as Record<string, number>,
  };
}

/** Share of the refusals that cost no data node anything. */
export function earlyShare({ refused, refusedBy }: LoadResult): number {
  const early = Object.entries(refusedBy).filter(
    ([reason]) => REASONS[reason as RefusalReason]?.where === 'coordinator',
  );
  return refused === 0 ? 0 : rounded(early.reduce((sum, [, count]) => sum + count, 0) / refused, 3);
}

export function tableRow(name: string, measured: Measured, capacityPerS: number): TableRow {
  const { offered, measuredMs, goodputPerS, acceptedMs, refusedMs, latenessMs, cpuShares, cpuShare } =
    measured;
  const percent = (count: number): string => `${rounded((100 * count) / Math.max(1, offered), 1)} %`;
  return {
    control: name,
    'offered/s': rounded((offered / measuredMs) * 1_000),
    'goodput/s': goodputPerS,
    'of capacity': `${rounded((100 * goodputPerS) / capacityPerS)} %`,
    'accepted p50/p99 ms': `${rounded(acceptedMs.p50)} / ${rounded(acceptedMs.p99)}`,
    refused: percent(measured.refused),
    'refused p99 ms': rounded(refusedMs.p99),
    'too late': percent(measured.late + measured.unanswered),
    failed: measured.failed,
    'sent late p99/max ms': `${latenessMs.p99} / ${latenessMs.max}`,
    'cores used': [...Object.entries(cpuShares), ['load', rounded(cpuShare, 2)] as const]
      .map(([process, share]) => `${process} ${share}`)
      .join(', '),
  };
}
