// The published table: its cells, and the figures that were published for each gate.
import type { GateName } from './gates.ts';
import type { Cell, Figures } from './run-cell.ts';

/** One row; a row about refusals without need has a smaller figure as the better one. */
export type Row = {
  readonly name: string;
  readonly cell: Cell;
  readonly measure: 'goodput' | 'refused without need';
  readonly published: Readonly<Record<GateName, number>>;
};

function even(coordinators: number): readonly number[] {
  return Array.from({ length: coordinators }, () => 1 / coordinators);
}

const SKEWED = [0.5, 0.2, 0.15, 0.1, 0.05];

export const ROWS: readonly Row[] = [
  {
    name: 'N 5, T 1 s, offered 1.3 ×',
    cell: { shares: even(5), intervalMs: 1_000, offered: 1.3 },
    measure: 'goodput',
    published: { law: 99.8, bareQueue: 86.6, bareCpu: 68.8 },
  },
  {
    name: 'N 5, T 1 s, offered 3 ×',
    cell: { shares: even(5), intervalMs: 1_000, offered: 3 },
    measure: 'goodput',
    published: { law: 100, bareQueue: 86.7, bareCpu: 84 },
  },
  {
    name: 'N 5, T 1 s, offered 0.8 ×',
    cell: { shares: even(5), intervalMs: 1_000, offered: 0.8 },
    measure: 'refused without need',
    published: { law: 0.9, bareQueue: 0, bareCpu: 16 },
  },
  {
    name: 'N 5, T 5 s, offered 1.3 ×',
    cell: { shares: even(5), intervalMs: 5_000, offered: 1.3 },
    measure: 'goodput',
    published: { law: 98.1, bareQueue: 57.3, bareCpu: 56.6 },
  },
  {
    name: 'N 5, T 5 s, offered 3 ×',
    cell: { shares: even(5), intervalMs: 5_000, offered: 3 },
    measure: 'goodput',
    published: { law: 99.4, bareQueue: 57.3, bareCpu: 57.3 },
  },
  {
    name: 'skewed, T 1 s, offered 1.3 ×',
    cell: { shares: SKEWED, intervalMs: 1_000, offered: 1.3 },
    measure: 'goodput',
    published: { law: 99.9, bareQueue: 86.6, bareCpu: 68.8 },
  },
  {
    name: 'N 50, T 1 s, offered 1.3 ×',
    cell: { shares: even(50), intervalMs: 1_000, offered: 1.3 },
    measure: 'goodput',
    published: { law: 97.5, bareQueue: 86.6, bareCpu: 68.8 },
  },
  {
    name: 'N 50, T 1 s, offered 0.8 ×',
    cell: { shares: even(50), intervalMs: 1_000, offered: 0.8 },
    measure: 'refused without need',
    published: { law: 2.6, bareQueue: 0, bareCpu: 16 },
  },
];

/** The row's figure of a run. */
export function figureOf(row: Row, figures: Figures): number {
  return row.measure === 'goodput' ? figures.goodputPercent : figures.refusedPercent;
}
