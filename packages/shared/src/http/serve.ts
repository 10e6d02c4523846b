// Listens for HTTP and stops in order: no new connections, requests in flight end with their real results.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { systemTimers, type Timers } from '../ops/clock.ts';
import { answerBrokenRequest } from './broken-request.ts';
import { expressMessages } from './express-messages.ts';

export type Listening = {
  readonly host: string;
  readonly port: number;
  /** Base URL others reach it by. */
  readonly origin: string;
  /** Refuses new connections, lets requests in flight end within `graceMs`, then cuts what is left. */
  stop(graceMs: number): Promise<void>;
};

/** A whole request, head and body, has to arrive within this time: 5 MB over a minute passes, a byte a second does not. */
const REQUEST_TIMEOUT_MS = 120_000;
const HEADERS_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 75_000;

export type ServeOptions = {
  readonly host: string;
  readonly port: number;
  readonly timers?: Timers;
  /** A body that its sender asks leave for (Expect: 100-continue) is not sent for when it declares more than this. */
  readonly continueUpToBytes?: () => number;
};

/** Resolves once the port is bound; rejects with the system's error (EADDRINUSE, EACCES). Port 0 takes any free one. */
export async function serve(handler: RequestListener, options: ServeOptions): Promise<Listening> {
  let stopping = false;
  const unanswered = new Set<ServerResponse>();
  const newest = new WeakMap<Duplex, ServerResponse>();
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    unanswered.add(response);
    newest.set(request.socket, response);
    response.once('close', () => {
      unanswered.delete(response);
      // A kept connection would hold up the stop until its client lets go of it.
      if (stopping) server.closeIdleConnections();
    });
    if (stopping) response.setHeader('Connection', 'close');
    handler(request, response);
  };
  const server = createServer(
    {
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: 2_000,
      ...expressMessages(handler),
    },
    handle,
  );
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    const declaredBytes = Number(request.headers['content-length'] ?? 0);
    const limitBytes = options.continueUpToBytes?.() ?? Number.POSITIVE_INFINITY;
    // Whoever handles it refuses by the declared length; what the client does then with its body is unknown, so the connection ends.
    if (declaredBytes > limitBytes) response.setHeader('Connection', 'close');
    else response.writeContinue();
    handle(request, response);
  });
  server.on('clientError', (error, socket) =>
    answerBrokenRequest(error, { socket, isAnswerBegun: newest.get(socket)?.headersSent === true }),
  );
  await listen(server, options.host, options.port);
  const { port } = server.address() as AddressInfo;
  const shownHost = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    host: options.host,
    port,
    origin: `http://${shownHost}:${port}`,
    async stop(graceMs) {
      stopping = true;
      for (const response of unanswered) if (!response.headersSent) response.setHeader('Connection', 'close');
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const cancel = (options.timers ?? systemTimers).after(graceMs, () => server.closeAllConnections());
      await closed;
      cancel();
    },
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
