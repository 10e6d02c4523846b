// The one client to the OpenSearch cluster: any of its nodes answers for the whole, another one where the first does not.
import { type Clock, type OpenSearchConnection, type Timers, WeirError } from '@weir/shared';
import { Pool } from 'undici';
import type { z } from 'zod';
import {
  type AnswerSink,
  type ExchangeFailure,
  exchange,
  type UpstreamRequest,
} from './upstream-exchange.ts';
import { failureError, isTimeout, shownPath } from './upstream-failure.ts';

export type { AnswerSink, UpstreamRequest } from './upstream-exchange.ts';

/** A whole answer in memory. */
export type UpstreamAnswer = {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Buffer;
};

type UpstreamNode = { readonly origin: string; readonly pool: Pool; failedMs: number };

const CONNECT_TIMEOUT_MS = 3_000;
const KEEP_ALIVE_MS = 30_000;
/** A node that could not be reached, or did not answer in time, is asked last for this long. */
const SHUNNED_MS = 5_000;
/** Why `ask` gives up: the node was silent. A client that went away says nothing of the node. */
const SILENT = Symbol('no answer in time');
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

export class Upstream {
  readonly origins: readonly string[];
  /** Those of the configuration, and every other one that was ever asked by name. */
  readonly #nodes = new Map<string, UpstreamNode>();
  readonly #connect: NonNullable<Pool.Options['connect']>;
  readonly #ownHeaders: readonly string[];
  readonly #clock: Clock;
  readonly #timers: Timers;
  #turn = 0;

  constructor(connection: OpenSearchConnection, ports: { readonly clock: Clock; readonly timers: Timers }) {
    const { origins, ca, authorization } = connection;
    this.#clock = ports.clock;
    this.#timers = ports.timers;
    this.#ownHeaders = [
      ...['accept', 'application/json'],
      ...(authorization === undefined ? [] : ['authorization', authorization]),
    ];
    this.origins = origins;
    this.#connect = { timeout: CONNECT_TIMEOUT_MS, ...(ca === undefined ? {} : { ca }) };
  }

  /**
   * Brings one request's answer into the sink. Another node is tried where nothing of the request can have arrived, and also for safe requests
   * without an answer. Throws `bad_gateway` or `gateway_timeout`; a sink that has begun then has half an answer.
   */
  async forward(request: UpstreamRequest, sink: AnswerSink, signal?: AbortSignal): Promise<void> {
    const nodes = this.#inTurn(request.node);
    for (const [position, node] of nodes.entries()) {
      const failure = await exchange(node.pool, request, sink, signal);
      if (failure === undefined) return;
      const timedOut = isTimeout(failure.cause);
      if (signal?.aborted !== true || signal.reason === SILENT) node.failedMs = this.#clock.nowMs();
      const last = position === nodes.length - 1;
      if (last || timedOut || signal?.aborted === true || !mayRepeat(request, failure))
        throw failureError(request, node.origin, failure, timedOut);
    }
  }

  /** The same with the whole answer in memory; `timeoutMs` of the request holds for all of it. */
  async ask(request: UpstreamRequest): Promise<UpstreamAnswer> {
    const giveUp = new AbortController();
    const cancel = this.#timers.after(request.timeoutMs, () => giveUp.abort(SILENT));
    const gathered = new GatheredAnswer();
    try {
      await this.forward(request, gathered, giveUp.signal);
      return gathered.answer();
    } catch (cause) {
      if (!giveUp.signal.aborted) throw cause;
      throw new WeirError(
        'gateway_timeout',
        `${request.method} ${shownPath(request.path)}: no answer of OpenSearch within ${request.timeoutMs} ms`,
        { cause, fields: { sent: true } },
      );
    } finally {
      cancel();
    }
  }

  /** Reads for this service itself, with its own credentials; throws what is wrong with an answer that is not the expected one. */
  async read<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    timeoutMs: number,
    onlyOrigin?: string,
  ): Promise<z.infer<Schema>> {
    const request = { method: 'GET', path, headers: this.#ownHeaders, body: undefined, timeoutMs };
    const { status, body } = await this.ask(
      onlyOrigin === undefined ? request : { ...request, node: { origin: onlyOrigin, only: true } },
    );
    const where = `GET ${onlyOrigin ?? ''}${shownPath(path)} of OpenSearch`;
    if (status === 401 || status === 403)
      throw new WeirError(
        status === 401 ? 'unauthorized' : 'forbidden',
        `${where}: status ${status}, the credentials of weir.opensearch.username or .api_key are ${status === 401 ? 'refused' : 'not allowed to'}`,
      );
    if (status !== 200) throw new WeirError('bad_gateway', `${where}: status ${status}`);
    const parsed = schema.safeParse(jsonOf(body));
    if (parsed.success) return parsed.data;
    const at = parsed.error.issues[0]?.path.join('.') ?? '';
    throw new WeirError(
      'bad_gateway',
      `${where}: an answer of an unknown form${at === '' ? '' : `, at ${at}`}`,
    );
  }

  async close(): Promise<void> {
    await Promise.all([...this.#nodes.values()].map(({ pool }) => pool.destroy()));
  }

  /** The wanted one first, the others in their turn, those that failed lately last. */
  #inTurn(wanted: UpstreamRequest['node']): readonly UpstreamNode[] {
    if (wanted?.only === true) return [this.#node(wanted.origin)];
    this.#turn = (this.#turn + 1) % this.origins.length;
    const turned = [...this.origins.slice(this.#turn), ...this.origins.slice(0, this.#turn)];
    const first = wanted === undefined ? [] : [wanted.origin];
    const nodes = [...new Set([...first, ...turned])].map((origin) => this.#node(origin));
    const shunned = (node: UpstreamNode): boolean => this.#clock.nowMs() - node.failedMs < SHUNNED_MS;
    return [...nodes.filter((node) => !shunned(node)), ...nodes.filter(shunned)];
  }

  #node(origin: string): UpstreamNode {
    const known = this.#nodes.get(origin);
    if (known !== undefined) return known;
    // As many connections as clients have requests in flight: a queue here would be one nobody sees.
    const pool = new Pool(origin, {
      connections: null,
      connect: this.#connect,
      keepAliveTimeout: KEEP_ALIVE_MS,
    });
    const node = { origin, pool, failedMs: Number.NEGATIVE_INFINITY };
    this.#nodes.set(origin, node);
    return node;
  }
}

class GatheredAnswer implements AnswerSink {
  #status = 0;
  #headers: readonly string[] = [];
  readonly #chunks: Buffer[] = [];

  begin(status: number, _message: string, headers: readonly string[]): void {
    this.#status = status;
    this.#headers = headers;
  }

  take(chunk: Buffer): boolean {
    this.#chunks.push(chunk);
    return true;
  }

  end(): void {}

  answer(): UpstreamAnswer {
    return { status: this.#status, headers: this.#headers, body: Buffer.concat(this.#chunks) };
  }
}

function mayRepeat({ method, body }: UpstreamRequest, { sent, begun }: ExchangeFailure): boolean {
  return !begun && (!sent || (SAFE_METHODS.has(method) && body === undefined));
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
