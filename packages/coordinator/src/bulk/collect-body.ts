// Collects the body of a request within hard limits of wire and inflated bytes, whole or not at all.
import type { IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import { type Timers, WeirError } from '@weir/shared';
import type { CollectBody } from '../http/read-json-body.ts';
import { type BodyBudget, BodyBuffer, type BodyLimit, tooLarge } from './body-buffer.ts';
import { isGzip } from './body-format.ts';
import { discardRest } from './discard-rest.ts';

export type CollectOptions = {
  readonly limit: BodyLimit;
  readonly budget: BodyBudget;
  readonly timers: Timers;
  /** Keeps the bytes of the wire: whoever reads the body next inflates it. */
  readonly asCame?: boolean;
};

/** Inflated pieces, large enough that their number does not matter. */
const INFLATED_CHUNK_BYTES = 64 * 1024;

/**
 * The whole body. Throws `too_large` (413), what the budget throws, `unsupported_media` (415) for an encoding other than gzip, and `illegal_argument` for
 * broken gzip or a client that went away. Whatever it throws, nothing of the body is kept and reading stops there.
 */
export async function collectBody(request: IncomingMessage, options: CollectOptions): Promise<Buffer> {
  try {
    return await collect(request, options);
  } catch (thrown) {
    discardRest(request, options.timers);
    throw thrown;
  }
}

/** Bodies of requests that are no writes: small enough to need no budget. */
export function plainBodies(timers: Timers): CollectBody {
  const budget = { announce: () => undefined, take: () => undefined };
  return (request, maxBytes) => collectBody(request, { limit: { maxBytes }, budget, timers });
}

async function collect(
  request: IncomingMessage,
  { limit, budget, asCame = false }: CollectOptions,
): Promise<Buffer> {
  const gzip = !asCame && isGzip(request);
  const declared = declaredBytes(request);
  if (declared !== undefined && declared > limit.maxBytes) throw tooLarge(limit, String(declared));
  if (declared !== undefined) budget.announce(declared);
  const buffer = new BodyBuffer(limit, gzip ? undefined : declared, budget);
  await (gzip ? inflateInto(buffer, request, limit) : readInto(buffer, request));
  return buffer.bytes();
}

/** Bytes on the wire as the client declared them; undefined for a body in chunks. */
function declaredBytes({ headers }: Pick<IncomingMessage, 'headers'>): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

function readInto(buffer: BodyBuffer, request: IncomingMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = ending(request, resolve, reject);
    const onData = (chunk: Buffer): void => {
      try {
        buffer.append(chunk);
      } catch (thrown) {
        request.pause();
        request.off('data', onData);
        done(thrown);
      }
    };
    request.on('data', onData);
    request.once('end', () => done());
  });
}

/** Inflates as it comes and stops at the limit, so that a small bomb costs no more than a large body. */
function inflateInto(buffer: BodyBuffer, request: IncomingMessage, limit: BodyLimit): Promise<void> {
  return new Promise((resolve, reject) => {
    const gunzip = createGunzip({ chunkSize: INFLATED_CHUNK_BYTES });
    const done = ending(request, resolve, reject, () => {
      request.unpipe(gunzip);
      gunzip.destroy();
    });
    let wireBytes = 0;
    request.on('data', (chunk: Buffer) => {
      wireBytes += chunk.length;
      if (wireBytes > limit.maxBytes) done(tooLarge(limit, `more than ${limit.maxBytes}`));
    });
    gunzip.on('data', (chunk: Buffer) => {
      try {
        buffer.append(chunk);
      } catch (thrown) {
        done(thrown);
      }
    });
    gunzip.once('end', () => done());
    gunzip.once('error', (cause) =>
      done(new WeirError('illegal_argument', `body is not valid gzip: ${cause.message}`, { cause })),
    );
    request.pipe(gunzip);
  });
}

/** Settles once: with an error, at the end, or when the client goes away before it. */
function ending(
  request: IncomingMessage,
  resolve: () => void,
  reject: (thrown: unknown) => void,
  cleanUp: () => void = () => undefined,
): (thrown?: unknown) => void {
  let settled = false;
  const done = (thrown?: unknown): void => {
    if (settled) return;
    settled = true;
    request.off('close', onClose);
    cleanUp();
    if (thrown === undefined) resolve();
    else reject(thrown);
  };
  const gone = (): void =>
    done(new WeirError('illegal_argument', 'the client went away before its whole body had come'));
  const onClose = (): void => {
    if (!request.complete) gone();
  };
  request.once('close', onClose);
  request.once('error', gone);
  return done;
}
