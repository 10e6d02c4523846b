// How far a load is: a bar on a terminal, a line every few seconds elsewhere, and a summary at the end.
import type { LoadProgress } from './run-load.ts';

export type Shown = {
  readonly progress: LoadProgress;
  readonly total: number | undefined;
  readonly elapsedMs: number;
};

const BAR_WIDTH = 24;

/** One line: bar and percentage where the total is known, documents, speed, refusals and retries. */
export function progressLine({ progress, total, elapsedMs }: Shown): string {
  const { accepted, failed, refused, retries } = progress;
  const done = accepted + failed;
  const share = total === undefined || total === 0 ? undefined : Math.min(1, done / total);
  const bar =
    share === undefined
      ? ''
      : `[${'='.repeat(Math.floor(share * BAR_WIDTH)).padEnd(BAR_WIDTH)}] ${Math.floor(share * 100)}%  `;
  const of = total === undefined ? '' : `/${grouped(total)}`;
  const failures = failed === 0 ? '' : `  failed ${grouped(failed)}`;
  return `${bar}${grouped(done)}${of} docs  ${grouped(perSecond(accepted, elapsedMs))} docs/s  refused ${grouped(refused)}  retries ${grouped(retries)}${failures}`;
}

/** The last words: what became of all documents. */
export function summary({ progress, elapsedMs }: Shown): string {
  const { accepted, failed, refused, retries, firstFailure } = progress;
  const lines = [
    `${grouped(accepted)} documents accepted in ${(elapsedMs / 1000).toFixed(1)} s, ${grouped(perSecond(accepted, elapsedMs))} docs/s`,
    `${grouped(refused)} refusals, ${grouped(retries)} retries, ${grouped(failed)} documents failed`,
  ];
  if (firstFailure !== undefined) lines.push(`first failure: ${firstFailure}`);
  return `${lines.join('\n')}\n`;
}

function perSecond(count: number, elapsedMs: number): number {
  return elapsedMs <= 0 ? 0 : Math.round((count / elapsedMs) * 1000);
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
