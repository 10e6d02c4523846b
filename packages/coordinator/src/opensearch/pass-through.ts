// Sends a request on to OpenSearch and its answer back, both as they come: any method, path, header, status and body.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { answerHeaders, requestHeaders, type Timers } from '@weir/shared';
import { hasBody } from '../bulk/body-format.ts';
import { discardRest } from '../bulk/discard-rest.ts';
import { passThroughTimeoutMs } from './pass-through-timeout.ts';
import type { AnswerSink, Upstream } from './upstream.ts';

export type PassThroughPorts = {
  readonly upstream: Pick<Upstream, 'forward'>;
  readonly timers: Timers;
  /** For all that OpenSearch does beside the waiting a client asks it for. */
  readonly baseTimeoutMs: number;
};

/**
 * Answers with what OpenSearch answers. Throws `bad_gateway` or `gateway_timeout` where it does not; an answer that breaks off has begun by then, and
 * its connection is to be cut. `body`: what was read of the request already, where it was.
 */
export async function passThrough(
  request: IncomingMessage,
  response: ServerResponse,
  { upstream, timers, baseTimeoutMs }: PassThroughPorts,
  body?: Buffer,
): Promise<void> {
  const target = request.url ?? '/';
  const gone = new AbortController();
  const onClose = (): void => {
    if (!response.writableFinished) gone.abort();
  };
  response.once('close', onClose);
  const stream = body === undefined && hasBody(request) ? bodyStream(request) : undefined;
  try {
    await upstream.forward(
      {
        method: request.method ?? 'GET',
        path: target,
        headers: requestHeaders(request.rawHeaders),
        body: body ?? stream,
        timeoutMs: passThroughTimeoutMs(target, baseTimeoutMs),
      },
      new ResponseSink(response),
      gone.signal,
    );
  } catch (thrown) {
    if (!gone.signal.aborted) throw thrown;
  } finally {
    response.off('close', onClose);
    if (stream !== undefined) {
      request.unpipe(stream);
      // Answered before it was read: 413 is told while the client still sends.
      discardRest(request, timers);
    }
  }
}

/** Not the request itself: what the client of OpenSearch does with a body it is done with must not touch the client's connection. */
function bodyStream(request: IncomingMessage): PassThrough {
  const stream = new PassThrough();
  // Whoever reads it hears of it; between two tries nobody does.
  stream.on('error', () => undefined);
  request.pipe(stream);
  request.once('close', () => {
    if (!request.complete) stream.destroy(new Error('the client went away'));
  });
  return stream;
}

/** Hands an answer to the client as it comes, and no faster than the client reads. */
class ResponseSink implements AnswerSink {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  begin(status: number, message: string, headers: readonly string[]): void {
    const response = this.#response;
    const kept = answerHeaders(headers);
    if (response.getHeaderNames().length === 0) {
      response.writeHead(status, message, kept);
      return;
    }
    // Beside headers that are set already, Node.js would keep only the last of several with one name.
    for (let at = 0; at < kept.length; at += 2) response.removeHeader(kept[at] ?? '');
    for (let at = 0; at < kept.length; at += 2) response.appendHeader(kept[at] ?? '', kept[at + 1] ?? '');
    response.writeHead(status, message);
  }

  take(chunk: Buffer, resume: () => void): boolean {
    if (this.#response.write(chunk)) return true;
    this.#response.once('drain', resume);
    return false;
  }

  end(): void {
    this.#response.end();
  }
}
