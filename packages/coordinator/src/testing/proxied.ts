// A coordinator that passes everything through, in front of real HTTP servers that behave as a test says.
import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorHandler, serve, systemClock, systemTimers, type WeirError } from '@weir/shared';
import express from 'express';
import { passThrough } from '../opensearch/pass-through.ts';
import { Upstream } from '../opensearch/upstream.ts';

export type Reply = {
  readonly status: number;
  readonly message: string;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** The whole body came. */
  readonly complete: boolean;
};

export type Asked = {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string | readonly string[]>;
  readonly body?: string | Buffer;
};

/** A real server on a free port of loopback. */
export async function startServer(listener: RequestListener): Promise<{ origin: string; server: Server }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, server };
}

/** An address where nobody listens. */
export async function deadOrigin(): Promise<string> {
  const { origin, server } = await startServer(() => undefined);
  await new Promise((resolve) => server.close(resolve));
  return origin;
}

/** Weir in front of the given origins. */
export async function startProxy(origins: readonly string[], baseTimeoutMs = 5_000, presetHeaders = false) {
  const upstream = new Upstream(
    { origins, authorization: undefined, ca: undefined },
    { clock: systemClock, timers: systemTimers },
  );
  const reported: WeirError[] = [];
  const app = express();
  app.disable('x-powered-by');
  app.use((_incoming, response, next) => {
    if (presetHeaders) response.setHeader('X-Preset', 'yes');
    next();
  });
  app.use((incoming, response) =>
    passThrough(incoming, response, { upstream, timers: systemTimers, baseTimeoutMs }),
  );
  app.use(errorHandler((error) => reported.push(error)));
  const listening = await serve(app, { host: '127.0.0.1', port: 0 });
  return {
    origin: listening.origin,
    reported,
    async stop(): Promise<void> {
      await listening.stop(0);
      await upstream.close();
    },
  };
}

/** One request with Node's own client, which changes nothing of an answer. Resolves also for an answer that breaks off. */
export function ask(origin: string, { method = 'GET', path = '/', headers = {}, body }: Asked = {}) {
  return new Promise<Reply>((resolve, reject) => {
    const framing =
      body === undefined || 'Transfer-Encoding' in headers
        ? {}
        : { 'Content-Length': Buffer.byteLength(body) };
    const outgoing = request(
      origin,
      { method, path, headers: { ...framing, ...headers } as Record<string, string>, agent: false },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', () => undefined);
        incoming.on('close', () => {
          const { statusCode = 0, statusMessage = '', headers: found, rawHeaders, complete } = incoming;
          const whole = Buffer.concat(chunks);
          resolve({
            status: statusCode,
            message: statusMessage,
            headers: found,
            rawHeaders,
            body: whole,
            complete,
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** The body of a request as it arrived. */
export async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
