// Figures of a benchmark: quantiles, how sure a median is, and a table with one object of JSON after it.
import { seededRng } from '@weir/shared/testing';

/** The value below which `share` of them lie; NaN of none. */
export function quantile(values: ArrayLike<number>, share: number): number {
  const ascending = Float64Array.from(values).sort();
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const ascending = [...values].sort((one, other) => one - other);
  const at = (position: number): number => ascending[position] ?? Number.NaN;
  return (at((ascending.length - 1) >> 1) + at(ascending.length >> 1)) / 2;
}

const RESAMPLES = 4_000;

/** Where the median would lie in 95 of 100 repetitions, by resampling these values (bootstrap). */
export function medianInterval(values: readonly number[]): { readonly low: number; readonly high: number } {
  const rng = seededRng(1);
  const medians = Array.from({ length: RESAMPLES }, () =>
    median(values.map(() => values[Math.floor(rng.next() * values.length)] ?? Number.NaN)),
  );
  return { low: quantile(medians, 0.025), high: quantile(medians, 0.975) };
}

export function rounded(value: number, digits = 0): number {
  return Number(value.toFixed(digits));
}

export type TableRow = Readonly<Record<string, string | number>>;

/** Columns as wide as their widest cell; the names of the columns come from the first row. */
export function printTable(rows: readonly TableRow[]): void {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '')))];
  const widths = names.map((_, at) => Math.max(...lines.map((line) => (line[at] ?? '').length)));
  for (const line of lines)
    process.stdout.write(
      `${line
        .map((cell, at) => cell.padEnd((widths[at] ?? 0) + 2))
        .join('')
        .trimEnd()}\n`,
    );
}

export function printJson(figures: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}
