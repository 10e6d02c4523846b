// Values of settings as people write them: numbers, switches, times and sizes with their units, read strictly.

/** A value, or in a few words why the text is none. */
export type Reading<T> = { readonly value: T } | { readonly problem: string };

const UNIT_MISSING = 'unit is missing or unrecognized';
const MS_PER_UNIT = {
  nanos: 1e-6,
  micros: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
} as const;
const KIB = 1024;
const BYTES_PER_UNIT = {
  b: 1,
  k: KIB,
  kb: KIB,
  m: KIB ** 2,
  mb: KIB ** 2,
  g: KIB ** 3,
  gb: KIB ** 3,
  t: KIB ** 4,
  tb: KIB ** 4,
  p: KIB ** 5,
  pb: KIB ** 5,
} as const;

/** `80`, `.5`, `-1.5e3`; never NaN, Infinity, hexadecimal or a number with spaces around it. */
export function readNumber(text: string): Reading<number> {
  if (!/^[+-]?(?:\d{1,30}\.?\d{0,30}|\.\d{1,30})(?:e[+-]?\d{1,3})?$/i.test(text))
    return { problem: 'not a number' };
  const value = Number(text);
  return Number.isFinite(value) ? { value } : { problem: 'not a finite number' };
}

/** Only `true` or `false`, as OpenSearch does. */
export function readSwitch(text: string): Reading<boolean> {
  if (text === 'true') return { value: true };
  return text === 'false' ? { value: false } : { problem: 'not a boolean' };
}

/** Milliseconds of `500ms`, `2s`, `1m`, `1h`; whole numbers only, a bare 0 needs no unit. */
export function readTimeMs(text: string): Reading<number> {
  if (/^0{1,20}$/.test(text)) return { value: 0 };
  const match = /^(-?\d{1,12}(\.\d*)?) ?([a-z]+)$/i.exec(text);
  if (match === null) return { problem: `not a time value, ${UNIT_MISSING}` };
  const [, digits = '', fraction, unit = ''] = match;
  // `M` would be months: only the small one is minutes.
  const name = unit === 'M' ? unit : unit.toLowerCase();
  if (!isUnit(name, MS_PER_UNIT)) return { problem: `not a time value, ${UNIT_MISSING}` };
  if (fraction !== undefined) return { problem: 'fractional time values are not supported' };
  if (digits.startsWith('-')) return { problem: 'negative durations are not supported' };
  return { value: Number(digits) * MS_PER_UNIT[name] };
}

/** Bytes of `1b`, `10kb`, `1.5mb`, `1gb` (powers of 1024); a bare 0 needs no unit. */
export function readBytes(text: string): Reading<number> {
  if (/^0{1,20}$/.test(text)) return { value: 0 };
  const match = /^(\d{1,15}(?:\.\d{1,6})?) ?([a-z]+)$/i.exec(text);
  const unit = match?.[2]?.toLowerCase() ?? '';
  if (match === null || !isUnit(unit, BYTES_PER_UNIT))
    return { problem: `not a size in bytes, ${UNIT_MISSING}` };
  const value = Number(match[1]) * BYTES_PER_UNIT[unit];
  if (!Number.isInteger(value) && unit === 'b') return { problem: 'fractional bytes are not supported' };
  return { value: Math.floor(value) };
}

/** Percent of `10%` or `12.5%`. */
export function readPercent(text: string): Reading<number> {
  return text.endsWith('%') ? readNumber(text.slice(0, -1)) : { problem: 'not a percentage' };
}

/** `1.5s` of 1500: the shortest way to write a time in whole units. */
export function formatTimeMs(ms: number): string {
  for (const [unit, perUnit] of [
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1_000],
  ] as const)
    if (ms >= perUnit && ms % perUnit === 0) return `${ms / perUnit}${unit}`;
  return `${ms}ms`;
}

/** `10mb` of 10485760. */
export function formatBytes(bytes: number): string {
  for (const [unit, perUnit] of [
    ['gb', KIB ** 3],
    ['mb', KIB ** 2],
    ['kb', KIB],
  ] as const)
    if (bytes >= perUnit && bytes % perUnit === 0) return `${bytes / perUnit}${unit}`;
  return `${bytes}b`;
}

function isUnit<Units extends object>(name: string, units: Units): name is Extract<keyof Units, string> {
  return Object.hasOwn(units, name);
}
