// The JSON body of a request that is no bulk: small, whole, and an error that says what is wrong where it is not JSON.
import { WeirError } from '@weir/shared';
import type { Request } from 'express';
import { checkContentType, hasBody } from '../bulk/body-format.ts';

/** Collects a request's body within hard limits of wire and inflated bytes. */
export type CollectBody = (request: Request, maxBytes: number) => Promise<Buffer>;

/** Long id lists of a multi-get and large mappings fit; a bulk sent to the wrong route does not. */
const MAX_JSON_BYTES = 10 * 1024 * 1024;

/** Whatever walks through a body may call itself this often. */
const MAX_DEPTH = 200;

/** The parsed body, or undefined where there is none. */
export async function readJsonBody(request: Request, collect: CollectBody): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  checkContentType(request);
  const body = await collect(request, MAX_JSON_BYTES);
  const text = body.toString().replace(/^\ufeff/, '');
  if (text.trim() === '') return undefined;
  const parsed = parse(text);
  if (isDeeperThan(MAX_DEPTH, parsed))
    throw new WeirError('parse', `request body is nested more than ${MAX_DEPTH} levels deep`);
  return parsed;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new WeirError('parse', `request body is not valid JSON: ${why}`, { cause });
  }
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}

/** The body as an object; undefined where there is none. */
export async function readJsonObject(
  request: Request,
  collect: CollectBody,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const body = await readJsonBody(request, collect);
  if (body === undefined || isRecord(body)) return body;
  throw new WeirError('parsing', `request body has to be a JSON object, it is ${kindOf(body)}`);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  return value === null ? 'null' : `a ${typeof value}`;
}
