// What one setting is: a schema that reads its text, its default, its bounds and what it means.
import { z } from 'zod';
import { type AutoCreateRule, readAutoCreateRule } from './auto-create.ts';
import type { BytesOrPercent } from './effective-settings.ts';
import {
  formatBytes,
  formatTimeMs,
  type Reading,
  readBytes,
  readNumber,
  readPercent,
  readSwitch,
  readTimeMs,
} from './units.ts';

export type Setting<T = unknown> = {
  readonly type: 'word' | 'number' | 'boolean' | 'time' | 'size' | 'size or percent' | 'rule' | 'text';
  /** Unit of a plain number; undefined where the value carries its own or has none. */
  readonly unit: string | undefined;
  /** As it would be written. */
  readonly default: string;
  /** Bounds in words, as errors and docs say them. */
  readonly allowed: string;
  readonly description: string;
  /** Whether it can be changed while the process runs. */
  readonly dynamic: boolean;
  /** From text to the value in its canonical unit. */
  readonly schema: z.ZodType<T>;
};

/** One of a closed list of words. */
export function word<const W extends string>(
  words: readonly W[],
  fallback: W,
  description: string,
): Setting<W> {
  const allowed = `one of [${words.join(', ')}]`;
  const read = (text: string): Reading<W> => {
    const value = words.find((candidate) => candidate === text);
    return value === undefined ? { problem: '' } : { value };
  };
  return dynamic('word', fallback, allowed, description, read);
}

/** A number from `min` to `max`, both included. */
export function number(
  bounds: { readonly min: number; readonly max: number; readonly unit: string; readonly whole?: boolean },
  fallback: number,
  description: string,
): Setting<number> {
  const { min, max, unit, whole = false } = bounds;
  const allowed = `a ${whole ? 'whole ' : ''}number from ${min} to ${max}`;
  const read = (text: string): Reading<number> => {
    const reading = within(readNumber(text), min, max);
    return whole && 'value' in reading && !Number.isInteger(reading.value)
      ? { problem: 'not a whole number' }
      : reading;
  };
  return { ...dynamic('number', String(fallback), allowed, description, read), unit };
}

export function flag(fallback: boolean, description: string): Setting<boolean> {
  return dynamic('boolean', String(fallback), 'only [true] or [false]', description, readSwitch);
}

/** A time from `minMs` to `maxMs`, both included. */
export function time(
  bounds: { readonly minMs: number; readonly maxMs: number },
  fallbackMs: number,
  description: string,
): Setting<number> {
  const allowed = `a time from ${formatTimeMs(bounds.minMs)} to ${formatTimeMs(bounds.maxMs)}`;
  const read = (text: string): Reading<number> => within(readTimeMs(text), bounds.minMs, bounds.maxMs);
  return dynamic('time', formatTimeMs(fallbackMs), allowed, description, read);
}

/** A size from `min` to `max` bytes, both included. */
export function size(
  bounds: { readonly min: number; readonly max: number },
  fallback: number,
  description: string,
): Setting<number> {
  const allowed = `a size from ${formatBytes(bounds.min)} to ${formatBytes(bounds.max)}`;
  const read = (text: string): Reading<number> => within(readBytes(text), bounds.min, bounds.max);
  return dynamic('size', formatBytes(fallback), allowed, description, read);
}

/** A size of at least `minBytes`, or a share of the heap limit up to `maxPercent`. */
export function sizeOrPercent(
  bounds: { readonly minBytes: number; readonly maxPercent: number },
  fallback: string,
  description: string,
): Setting<BytesOrPercent> {
  const { minBytes, maxPercent } = bounds;
  const allowed = `a size of at least ${formatBytes(minBytes)}, or a percentage above 0% up to ${maxPercent}%`;
  const read = (text: string): Reading<BytesOrPercent> => {
    if (!text.endsWith('%')) {
      const bytes = within(readBytes(text), minBytes, Number.MAX_SAFE_INTEGER);
      return 'value' in bytes ? { value: { bytes: bytes.value } } : bytes;
    }
    const percent = within(readPercent(text), Number.MIN_VALUE, maxPercent);
    return 'value' in percent ? { value: { percent: percent.value } } : percent;
  };
  return dynamic('size or percent', fallback, allowed, description, read);
}

export function autoCreate(fallback: string, description: string): Setting<AutoCreateRule> {
  const allowed =
    'true, false, or up to 100 names and patterns separated by commas, each with an optional + or -';
  const read = (text: string): Reading<AutoCreateRule> => {
    const value = readAutoCreateRule(text);
    return value === undefined ? { problem: '' } : { value };
  };
  return dynamic('rule', fallback, allowed, description, read);
}

/** A key of the configuration, fixed at start: known here so that a change of it is refused by name. */
export function fixedAtStart(description: string): Setting<string> {
  return {
    type: 'text',
    unit: undefined,
    default: '',
    allowed: 'set at start only',
    description,
    dynamic: false,
    schema: z.string(),
  };
}

function dynamic<T>(
  type: Setting['type'],
  fallback: string,
  allowed: string,
  description: string,
  read: (text: string) => Reading<T>,
): Setting<T> {
  const schema = z.string().transform((text, context): T => {
    const reading = read(text);
    if ('value' in reading) return reading.value;
    context.issues.push({ code: 'custom', message: reading.problem, input: text });
    return z.NEVER;
  });
  return { type, unit: undefined, default: fallback, allowed, description, dynamic: true, schema };
}

function within(reading: Reading<number>, min: number, max: number): Reading<number> {
  if ('problem' in reading) return reading;
  if (reading.value < min) return { problem: 'too small' };
  return reading.value > max ? { problem: 'too large' } : reading;
}
