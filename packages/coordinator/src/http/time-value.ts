// Times as OpenSearch writes them: a number and its unit.
import { WeirError } from '@weir/shared';

const MS_PER_UNIT: Readonly<Record<string, number>> = {
  nanos: 1e-6,
  micros: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Milliseconds of `300ms`, `30s`, `1m`; a bare 0 or -1 is accepted as OpenSearch does. */
export function parseTimeMs(name: string, value: string): number {
  if (value === '0' || value === '-1') return Number(value);
  const match = /^(\d{1,12}(?:\.\d{1,6})?)(nanos|micros|ms|s|m|h|d)$/.exec(value.trim().toLowerCase());
  const perUnit = MS_PER_UNIT[match?.[2] ?? ''];
  if (match !== null && perUnit !== undefined) return Number(match[1]) * perUnit;
  throw new WeirError(
    'illegal_argument',
    `failed to parse parameter [${name}] with value [${value}] as a time value: unit is missing or unrecognized, allowed: nanos, micros, ms, s, m, h, d`,
  );
}
