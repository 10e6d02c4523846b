// Times in the query string, as OpenSearch writes them: a number and its unit.
import { readTimeMs, WeirError } from '@weir/shared';

/** Milliseconds of `300ms`, `30s`, `1m`; 0 and -1, which mean no wait at all, need no unit. */
export function parseTimeMs(name: string, text: string): number {
  if (text === '-1') return 0;
  const reading = readTimeMs(text);
  if ('value' in reading) return reading.value;
  throw new WeirError(
    'illegal_argument',
    `failed to parse parameter [${name}] with value [${text}]: ${reading.problem}, allowed: a whole number with a unit of [nanos, micros, ms, s, m, h, d]`,
  );
}
