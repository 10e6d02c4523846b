// The whole body of a request from another node, within a hard limit; what declares itself larger is not even read.
import type { IncomingMessage } from 'node:http';
import { WeirError } from '@weir/shared';

/** Throws `too_large` over the limit and `illegal_argument` when the sender breaks off. */
export function collectBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const declaredBytes = Number(request.headers['content-length'] ?? 0);
  if (declaredBytes > limitBytes) return Promise.reject(tooLarge(declaredBytes, limitBytes));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const fail = (error: WeirError): void => {
      chunks.length = 0;
      request.off('data', take).resume();
      reject(error);
    };
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > limitBytes) fail(tooLarge(bytes, limitBytes));
      else chunks.push(chunk);
    };
    request.on('data', take);
    request.on('end', () =>
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, bytes)),
    );
    const brokeOff = (cause?: unknown): void =>
      fail(new WeirError('illegal_argument', `body broke off after ${bytes} bytes`, { cause }));
    request.on('error', brokeOff);
    // Also comes after a body that did not break off: an error that nobody sees cost an agent a fortieth of its time.
    request.on('close', () => {
      if (!request.readableEnded) brokeOff();
    });
  });
}

function tooLarge(bytes: number, limitBytes: number): WeirError {
  return new WeirError(
    'too_large',
    `body of ${bytes} bytes or more is over the limit of ${limitBytes} bytes`,
    {
      fields: { limit_bytes: limitBytes },
    },
  );
}
