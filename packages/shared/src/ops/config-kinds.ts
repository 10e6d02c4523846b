// The kinds of values a configuration option can have, each readable from a string and from JSON.
import { isIP } from 'node:net';
import { z } from 'zod';
import { parseRedisAddress } from '../bus/redis-address.ts';
import { readTimeMs } from '../settings/units.ts';
import type { ValueKind } from './config-option.ts';

const HOST_NAME = /^(?!-)[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})*$/;

/** Port 0 takes any free one. */
export const PORT: ValueKind<number> = {
  schema: z
    .union([
      z.number(),
      z
        .string()
        .regex(/^\d{1,5}$/)
        .transform(Number),
    ])
    .pipe(z.number().int().min(0).max(65_535)),
  allowed: 'a whole number from 0 to 65535',
  valueName: '<port>',
};

export const SWITCH: ValueKind<boolean> = {
  schema: z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]),
  allowed: 'true or false',
  valueName: '',
};

export const HOST: ValueKind<string> = {
  schema: z.string().refine((text) => isIP(text) !== 0 || (HOST_NAME.test(text) && text.length <= 253)),
  allowed: 'an IP address or a host name',
  valueName: '<host>',
};

/** Names that stand in URLs, Redis keys and log lines. */
export const NAME: ValueKind<string> = {
  schema: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/),
  allowed: '1 to 64 of A-Z a-z 0-9 . _ - beginning with a letter or digit',
  valueName: '<name>',
};

export const PATH: ValueKind<string> = {
  schema: z
    .string()
    .min(1)
    .max(4096)
    .refine((text) => !text.includes('\0')),
  allowed: 'a path',
  valueName: '<path>',
};

export const REDIS_URL: ValueKind<string> = {
  schema: z.string().refine(isRedisUrl),
  allowed: 'redis://[user:password@]host[:port][/database], rediss://… or unix:///path of a socket',
  valueName: '<url>',
  disclosure: 'url',
};

/** Sent in a header, hence printable; long enough not to be guessed. */
export const SECRET: ValueKind<string> = {
  schema: z.string().regex(/^[\x21-\x7e]{16,256}$/),
  allowed: '16 to 256 printable ASCII characters without spaces',
  valueName: '<secret>',
  disclosure: 'secret',
};

export const DURATION_MS: ValueKind<number> = {
  schema: z
    .string()
    .transform((text, context) => {
      const reading = readTimeMs(text);
      if ('value' in reading) return reading.value;
      context.addIssue(reading.problem);
      return z.NEVER;
    })
    .pipe(z.number().min(1)),
  allowed: 'a time with its unit, such as 500ms, 30s or 2m',
  valueName: '<time>',
};

/** One of a closed list of words. */
export function oneOf<const W extends readonly [string, ...string[]]>(words: W): ValueKind<W[number]> {
  return { schema: z.enum(words), allowed: words.join(', '), valueName: '<word>' };
}

function isRedisUrl(text: string): boolean {
  try {
    parseRedisAddress(text);
    return true;
  } catch {
    return false;
  }
}
