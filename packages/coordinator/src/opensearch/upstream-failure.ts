// What is a failed request to OpenSearch called, in logs and to its client?
import { WeirError } from '@weir/shared';
import type { ExchangeFailure, UpstreamRequest } from './upstream-exchange.ts';

const SHOWN_PATH_CHARS = 200;

/** The code of a failed connection, or the kind of error where it has none. */
export function failureCode(cause: unknown): string | undefined {
  if (typeof cause !== 'object' || cause === null) return undefined;
  if ('code' in cause && typeof cause.code === 'string') return cause.code;
  return 'name' in cause ? String(cause.name) : undefined;
}

export function isTimeout(cause: unknown): boolean {
  const code = failureCode(cause);
  return code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT';
}

export function failureError(
  { method, path, timeoutMs }: UpstreamRequest,
  origin: string,
  { cause, sent }: ExchangeFailure,
  timedOut: boolean,
): WeirError {
  const where = `${method} ${origin}${shownPath(path)}`;
  if (timedOut)
    return new WeirError('gateway_timeout', `${where}: no answer within ${timeoutMs} ms`, {
      cause,
      fields: { sent },
    });
  return new WeirError('bad_gateway', `${where}: ${failureCode(cause) ?? String(cause)}`, {
    cause,
    fields: { sent },
  });
}

/** Without the query, in which a client may put what no log should hold. */
export function shownPath(path: string): string {
  return (path.split('?', 1)[0] ?? '').slice(0, SHOWN_PATH_CHARS);
}
