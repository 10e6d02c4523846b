// What a client is told whose request could not be read to its end as HTTP: the same JSON as any other error, then the connection ends.
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { WeirError } from '../ops/errors.ts';
import { errorBody, escapeControlCharacters } from './error-response.ts';

/** Node's errors have a code; those of its parser begin with HPE_. */
type ReadError = Error & { readonly code?: string };

/** The connection of a request that is broken, and whether its answer had begun already. */
export type BrokenRequest = { readonly socket: Duplex; readonly isAnswerBegun: boolean };

/** Answers where there is someone to answer to; a connection whose answer has begun can only be cut off. */
export function answerBrokenRequest(error: ReadError, { socket, isAnswerBegun }: BrokenRequest): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswerBegun) {
    socket.destroy();
    return;
  }
  const told = brokenRequestError(error);
  const body = JSON.stringify(errorBody(told));
  const head = [
    `HTTP/1.1 ${told.status} ${STATUS_CODES[told.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  // Once the answer is on its way nothing more is read: whoever sends for ever would hold the connection for ever.
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

function brokenRequestError(error: ReadError): WeirError {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new WeirError(
        'request_timeout',
        'the request did not arrive in time: its head or its body took too long',
      );
    case 'HPE_HEADER_OVERFLOW':
      return new WeirError('illegal_argument', 'the head of the request is larger than 16384 bytes');
    default:
      return new WeirError(
        'illegal_argument',
        `the request is not valid HTTP: ${escapeControlCharacters(error.message)}`,
      );
  }
}
