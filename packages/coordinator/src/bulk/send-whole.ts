// Gives an answer of an engine behind to the client as it is.
import type { Response } from 'express';
import type { WholeAnswer } from './send-unsplit.ts';

export function sendWhole(response: Response, { status, headers, body }: WholeAnswer): void {
  for (let at = 0; at < headers.length; at += 2) response.removeHeader(headers[at] ?? '');
  for (let at = 0; at < headers.length; at += 2)
    response.appendHeader(headers[at] ?? '', headers[at + 1] ?? '');
  response.writeHead(status).end(body);
}
