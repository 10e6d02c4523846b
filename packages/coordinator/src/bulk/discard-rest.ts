// Gets rid of the rest of a body that nobody will read, so that its sender sees the answer instead of a broken pipe.
import type { IncomingMessage } from 'node:http';
import type { Timers } from '@weir/shared';

/** Read on after the refusal, so that a body that was nearly over leaves its connection usable. */
const READ_ON_BYTES = 1024 * 1024;
/** Time to read the answer in; after it a connection with more to come is cut. */
const LINGER_MS = 1_000;

/** Reads a little on, then stops reading, then cuts the connection, unless the body ends on the way. */
export function discardRest(request: IncomingMessage, timers: Timers): void {
  if (request.complete || request.destroyed) return;
  let readBytes = 0;
  request.on('data', (chunk: Buffer) => {
    readBytes += chunk.length;
    if (readBytes > READ_ON_BYTES) request.pause();
  });
  const cancel = timers.after(LINGER_MS, () => request.socket.destroy());
  request.once('end', cancel);
  request.once('close', cancel);
  // A body cut off by its sender is no error to anyone any more.
  request.on('error', cancel);
  request.resume();
}
