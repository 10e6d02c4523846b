// Who asks, as log lines and decisions name it: the ids a client or proxy sent along, or one of our own.
import type { IncomingMessage } from 'node:http';
import type { Rng } from '@weir/shared';

export type RequestIdentity = {
  readonly requestId: string;
  /** Always our own: several requests of a client may have one id. */
  readonly bulkId: string;
  readonly opaqueId: string | undefined;
  readonly traceId: string | undefined;
};

const MAX_LENGTH = 128;
/** version-traceid-parentid-flags (W3C Trace Context). */
const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/;

export function identityOf({ headers }: Pick<IncomingMessage, 'headers'>, rng: Rng): RequestIdentity {
  const bulkId = rng.bytes(8).toString('hex');
  return {
    requestId: text(headers['x-request-id']) ?? bulkId,
    bulkId,
    opaqueId: text(headers['x-opaque-id']),
    traceId: TRACEPARENT.exec(text(headers['traceparent']) ?? '')?.[1],
  };
}

function text(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && header !== '' ? header.slice(0, MAX_LENGTH) : undefined;
}
