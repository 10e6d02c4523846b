// Lays out a `_cat` answer: the columns asked for, sorted, as aligned text or JSON.
import { WeirError, wildcardMatches } from '@weir/shared';

/** A byte size is written with a unit of its own or in the one asked for; a number is aligned right. */
type CatCell = string | number | { readonly bytes: number } | undefined;

export type CatColumn = {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** Not shown unless asked for by name. */
  readonly hidden?: boolean;
};

/** Cells by column name. */
export type CatRow = Readonly<Record<string, CatCell>>;

export type CatOptions = {
  readonly headings: boolean;
  /** Column names, aliases or patterns; empty: all that are not hidden. */
  readonly columns: readonly string[];
  /** Columns to sort by, each with `:desc` where wanted. */
  readonly sort: readonly string[];
  readonly bytesUnit: string | undefined;
};

const UNIT_BYTES: Readonly<Record<string, number>> = {
  b: 1,
  k: 2 ** 10,
  kb: 2 ** 10,
  m: 2 ** 20,
  mb: 2 ** 20,
  g: 2 ** 30,
  gb: 2 ** 30,
  t: 2 ** 40,
  tb: 2 ** 40,
};
export const BYTES_UNITS = Object.keys(UNIT_BYTES);

/** Rows as JSON objects of strings, as OpenSearch answers `format=json`. */
export function catJson(
  columns: readonly CatColumn[],
  rows: readonly CatRow[],
  options: CatOptions,
): readonly Record<string, string | null>[] {
  const shown = chosen(columns, options.columns);
  return sorted(columns, rows, options.sort).map((row) =>
    Object.fromEntries(
      shown.map((column) => [column.name, cellText(row[column.name], options.bytesUnit) ?? null]),
    ),
  );
}

/** Rows as lines of aligned columns, each line ended. */
export function catText(columns: readonly CatColumn[], rows: readonly CatRow[], options: CatOptions): string {
  const shown = chosen(columns, options.columns);
  const lines = sorted(columns, rows, options.sort).map((row) =>
    shown.map((column) => cellText(row[column.name], options.bytesUnit) ?? ''),
  );
  if (options.headings) lines.unshift(shown.map((column) => column.name));
  const right = shown.map((column) => rows.some((row) => isNumeric(row[column.name])));
  const widths = shown.map((_, at) => Math.max(0, ...lines.map((line) => line[at]?.length ?? 0)));
  return lines.map((line) => `${padded(line, widths, right)}\n`).join('');
}

function padded(line: readonly string[], widths: readonly number[], right: readonly boolean[]): string {
  return line
    .map((text, at) => (right[at] === true ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0)))
    .join(' ')
    .trimEnd();
}

function isNumeric(cell: CatCell): boolean {
  return cell !== undefined && typeof cell !== 'string';
}

/** One line per column, for `help`. */
export function catHelp(columns: readonly CatColumn[]): string {
  return columns.map(({ name, aliases = [] }) => `${name} | ${aliases.join(',')}\n`).join('');
}

function chosen(columns: readonly CatColumn[], names: readonly string[]): readonly CatColumn[] {
  if (names.length === 0) return columns.filter((column) => column.hidden !== true);
  const found = names.flatMap((name) => columns.filter((column) => isCalled(column, name)));
  return [...new Set(found)];
}

function isCalled(column: CatColumn, name: string): boolean {
  return wildcardMatches(name, column.name) || (column.aliases ?? []).includes(name);
}

function sorted(
  columns: readonly CatColumn[],
  rows: readonly CatRow[],
  sort: readonly string[],
): readonly CatRow[] {
  const keys = sort.map((key) => {
    const [name = '', order = 'asc'] = key.split(':');
    const column = columns.find((candidate) => isCalled(candidate, name));
    if (column === undefined || (order !== 'asc' && order !== 'desc'))
      throw new WeirError('illegal_argument', `Unable to sort by unknown sort key \`${key}\``);
    return { column, sign: order === 'desc' ? -1 : 1 };
  });
  return [...rows].sort((a, b) => {
    for (const { column, sign } of keys) {
      const order = compareCells(a[column.name], b[column.name]);
      if (order !== 0) return order * sign;
    }
    return 0;
  });
}

function compareCells(a: CatCell, b: CatCell): number {
  const [left, right] = [plain(a), plain(b)];
  if (left === right) return 0;
  if (left === undefined) return -1;
  if (right === undefined) return 1;
  return left < right ? -1 : 1;
}

function plain(cell: CatCell): string | number | undefined {
  return typeof cell === 'object' ? cell.bytes : cell;
}

function cellText(cell: CatCell, bytesUnit: string | undefined): string | undefined {
  if (cell === undefined) return undefined;
  if (typeof cell !== 'object') return String(cell);
  const perUnit = UNIT_BYTES[bytesUnit ?? ''];
  if (perUnit !== undefined) return String(Math.floor(cell.bytes / perUnit));
  return humanBytes(cell.bytes);
}

/** `1.5kb`, as OpenSearch writes sizes. */
export function humanBytes(bytes: number): string {
  for (const unit of ['tb', 'gb', 'mb', 'kb']) {
    const perUnit = UNIT_BYTES[unit] ?? 1;
    if (bytes >= perUnit) return `${Math.floor((bytes / perUnit) * 10) / 10}${unit}`;
  }
  return `${bytes}b`;
}
