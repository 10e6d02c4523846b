// The port by which nodes of a cluster call each other, over kept undici connections with a deadline for every call.
import { Pool } from 'undici';
import { WeirError } from '../ops/errors.ts';

export type HttpCall = {
  /** Base URL, such as http://127.0.0.1:9300. */
  readonly origin: string;
  readonly path: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
  /** The whole call, connecting and reading included, ends within this time. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
};

export type HttpAnswer = { readonly status: number; readonly body: Buffer };

/**
 * Calls another node. Throws WeirError: `gateway_timeout` when the time is over, `bad_gateway` when the node cannot be reached or breaks off;
 * its field `sent` is false only when no byte of the request can have arrived.
 */
export interface HttpClient {
  call(call: HttpCall): Promise<HttpAnswer>;
  close(): Promise<void>;
}

/**
 * Calls to one node at once. What finds no connection waits in this process, where neither gate nor guard counts it: with 64 connections a node
 * that took 80 requests a second looked calm while three seconds of them waited here. Hence more than a node works on within the delays that are
 * refused at; the bytes in flight are the limit that is meant.
 */
const CONNECTIONS_PER_NODE = 1_024;

/** `ca`: authorities to trust instead of Node.js's own, as PEM. */
export function undiciClient({ ca }: { readonly ca?: string | undefined } = {}): HttpClient {
  const pools = new Map<string, Pool>();
  const poolOf = (origin: string): Pool => {
    let pool = pools.get(origin);
    if (pool === undefined) {
      pool = new Pool(origin, {
        connections: CONNECTIONS_PER_NODE,
        connect: { timeout: 2_000, ...(ca === undefined ? {} : { ca }) },
        keepAliveTimeout: 30_000,
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      pools.set(origin, pool);
    }
    return pool;
  };
  return {
    async call(call) {
      // biome-ignore lint/plugin: the deadline of a real socket is real time, and nothing is decided by it
      const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(call.timeoutMs)));
      const signal = call.signal === undefined ? timeout : AbortSignal.any([timeout, call.signal]);
      try {
        const response = await poolOf(call.origin).request({
          path: call.path,
          method: call.method,
          headers: call.headers ?? null,
          body: call.body ?? null,
          signal,
        });
        return { status: response.statusCode, body: Buffer.from(await response.body.arrayBuffer()) };
      } catch (cause) {
        throw asWeirError(cause, call, timeout.aborted);
      }
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
      pools.clear();
    },
  };
}

/** Errors of undici and the kernel that are raised before anything was written. */
const NOTHING_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function asWeirError(cause: unknown, call: HttpCall, timedOut: boolean): WeirError {
  const where = `${call.method} ${call.origin}${call.path}`;
  if (timedOut)
    return new WeirError('gateway_timeout', `${where}: no answer within ${Math.ceil(call.timeoutMs)} ms`, {
      cause,
      fields: { sent: true },
    });
  const code =
    typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : 'unknown';
  return new WeirError('bad_gateway', `${where}: ${code}`, {
    cause,
    fields: { sent: !NOTHING_SENT.has(code) },
  });
}
