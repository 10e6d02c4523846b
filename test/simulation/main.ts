// npm run simulate [-- --json] [--seed n]: the table of SETTINGS.md from the real gate, guard, view and trackers.
import { parseArgs } from 'node:util';
import { systemClock } from '@weir/shared';
import { figureOf, ROWS, type Row } from './cells.ts';
import { GATES } from './gates.ts';
import { type Figures, runCell } from './run-cell.ts';

const MEASURED_MS = 600_000;

type RowResult = {
  readonly name: string;
  readonly measure: Row['measure'];
  readonly published: Row['published'];
  readonly law: number;
  readonly bareQueue: number;
  readonly bareCpu: number;
  readonly latePercent: number;
  /** The law where answers carry samples as well. */
  readonly withAnswers: Figures;
};

function simulate(row: Row, seed: number): RowResult {
  const options = { seed, measuredMs: MEASURED_MS };
  const [law, bareQueue, bareCpu] = GATES.map((gate) => runCell(row.cell, gate, options));
  if (law === undefined || bareQueue === undefined || bareCpu === undefined) throw new RangeError('no gates');
  return {
    name: row.name,
    measure: row.measure,
    published: row.published,
    law: figureOf(row, law),
    bareQueue: figureOf(row, bareQueue),
    bareCpu: figureOf(row, bareCpu),
    latePercent: law.latePercent,
    withAnswers: runCell(row.cell, 'law', { ...options, samplesRideOnAnswers: true }),
  };
}

function tableOf(results: readonly RowResult[]): string {
  const columns = ['case', 'measure', 'law', 'bare queue ≥ 40', 'bare CPU ≥ 90 %', 'late', 'law*', 'late*'];
  const lines = results.map((result, index) => {
    const row = ROWS[index];
    const withAnswers = row === undefined ? 0 : figureOf(row, result.withAnswers);
    return [
      result.name,
      result.measure,
      besidePublished(result.law, result.published.law),
      besidePublished(result.bareQueue, result.published.bareQueue),
      besidePublished(result.bareCpu, result.published.bareCpu),
      result.latePercent.toFixed(1),
      withAnswers.toFixed(1),
      result.withAnswers.latePercent.toFixed(1),
    ];
  });
  const widths = columns.map((column, at) =>
    Math.max(column.length, ...lines.map((line) => line[at]?.length ?? 0)),
  );
  return [columns, ...lines]
    .map((line) => line.map((text, at) => text.padEnd(widths[at] ?? 0)).join('  '))
    .join('\n');
}

function besidePublished(figure: number, published: number): string {
  return `${figure.toFixed(1)} (${published.toFixed(1)})`;
}

function seedOf(text: string): number {
  const seed = Number(text);
  if (Number.isSafeInteger(seed) && seed >= 0) return seed;
  process.stderr.write(`--seed ${text}: a whole number from 0 on is needed\n`);
  process.exit(1);
}

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, seed: { type: 'string', default: '1' } },
});
const seed = seedOf(values.seed);
const startMs = systemClock.nowMs();
const results = ROWS.map((row) => simulate(row, seed));
const runtimeS = Math.round((systemClock.nowMs() - startMs) / 100) / 10;
process.stdout.write(
  [
    `One data node, 4 servers, exponential 50 ms service, Poisson arrivals; ${MEASURED_MS / 1_000} s measured after 30 s of warm-up, seed ${seed}.`,
    'All figures in percent: goodput of min(offered, capacity), refusals of what was offered; (published).',
    'late: refused at the node after the hop. law*, late*: answers carry samples as well, as in the product.',
    '',
    tableOf(results),
    '',
    `${runtimeS} s`,
    '',
  ].join('\n'),
);
if (values.json) process.stdout.write(`${JSON.stringify({ seed, runtime_s: runtimeS, rows: results })}\n`);
