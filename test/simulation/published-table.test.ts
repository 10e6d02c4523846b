// Does the law, run by the real gate, guard, view and trackers, reach what was published for it?
import { describe, expect, it } from '@jest/globals';
import { figureOf, ROWS } from './cells.ts';
import { runCell } from './run-cell.ts';

/** Shorter than `npm run simulate`, with a seed the law was not tuned on. */
const OPTIONS = { seed: 71, measuredMs: 120_000 };
const WITHIN_POINTS = 1;
/** A bare gate is open or closed for seconds on end, so that a run of two minutes says less of its mean. */
const BARE_WITHIN_POINTS = 4;
const MOST_LATE_PERCENT = 0.3;

const rows = ROWS.map((row) => ({ row, name: row.name }));

describe('the published table, by row', () => {
  it.each(rows)('$name: the law is within a point of its figure, or better', ({ row }) => {
    const figures = runCell(row.cell, 'law', OPTIONS);
    const better = row.measure === 'goodput' ? 1 : -1;
    const least = better * row.published.law - WITHIN_POINTS;
    expect(better * figureOf(row, figures)).toBeGreaterThanOrEqual(least);
    const isCellOfLateFigure = row.cell.shares.length === 5 && row.cell.intervalMs === 1_000;
    if (isCellOfLateFigure)
      expect(figures.latePercent).toBeLessThanOrEqual(MOST_LATE_PERCENT + WITHIN_POINTS);
  });

  it.each(rows)('$name: the bare gates do as published', ({ row }) => {
    for (const gate of ['bareQueue', 'bareCpu'] as const) {
      const figure = figureOf(row, runCell(row.cell, gate, OPTIONS));
      expect(Math.abs(figure - row.published[gate])).toBeLessThanOrEqual(BARE_WITHIN_POINTS);
    }
  });
});

describe('samples that ride on answers', () => {
  it('leave next to no late refusals and waste nothing where samples are 5 s apart', () => {
    const cell = { shares: [0.2, 0.2, 0.2, 0.2, 0.2], intervalMs: 5_000, offered: 3 };
    const figures = runCell(cell, 'law', { ...OPTIONS, samplesRideOnAnswers: true });
    expect(figures.latePercent).toBeLessThanOrEqual(0.5);
    expect(figures.goodputPercent).toBeGreaterThanOrEqual(99.5);
  });
});

describe('a run', () => {
  it('gives the same figures for the same seed and others for another', () => {
    const cell = { shares: [0.5, 0.5], intervalMs: 1_000, offered: 1.3 };
    const run = (seed: number) => runCell(cell, 'law', { seed, measuredMs: 20_000 });
    expect(run(5)).toEqual(run(5));
    expect(run(5)).not.toEqual(run(6));
  });
});
