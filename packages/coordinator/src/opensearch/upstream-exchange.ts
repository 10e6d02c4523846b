// One request to one OpenSearch node and the answer to it, piece by piece: what was sent, what came, and how it ended.
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';

export type UpstreamRequest = {
  readonly method: string;
  /** Path and query, sent as they are. */
  readonly path: string;
  /** Names and values in turn, as they came. */
  readonly headers: readonly string[];
  readonly body: Readable | Buffer | undefined;
  /** The answer has to begin within this time, and go on after no longer a silence. */
  readonly timeoutMs: number;
  /** Origin of the node to ask first, where it matters; with `only` no other is asked. */
  readonly node?: { readonly origin: string; readonly only: boolean };
};

/** Takes an answer as it comes. */
export interface AnswerSink {
  /** Status line and headers, names and values in turn. */
  begin(status: number, message: string, headers: readonly string[]): void;
  /** Calls `resume` later and returns false where it can take no more now. */
  take(chunk: Buffer, resume: () => void): boolean;
  end(): void;
}

/** What may be concluded of a request that failed. */
export type ExchangeFailure = {
  readonly cause: unknown;
  /** Whether a byte of it can have reached the node. */
  readonly sent: boolean;
  /** Whether the sink has seen anything of an answer. */
  readonly begun: boolean;
};

/** Resolves once the answer is in the sink, or to what went wrong. Never rejects. `signal` gives the request up. */
export function exchange(
  dispatcher: Dispatcher,
  request: UpstreamRequest,
  sink: AnswerSink,
  signal: AbortSignal | undefined,
): Promise<ExchangeFailure | undefined> {
  return new Promise((resolve) => {
    const handler = new ExchangeHandler(sink, signal, resolve);
    const { method, path, headers, body, timeoutMs } = request;
    dispatcher.dispatch(
      {
        method,
        path,
        headers: [...headers],
        body: body ?? null,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        // Bodies of GET, and HEAD, are no reason to give up a connection to a server that knows them well.
        reset: false,
      },
      handler,
    );
  });
}

const NOT_MODIFIED = 304;

class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #sink: AnswerSink;
  readonly #signal: AbortSignal | undefined;
  readonly #settle: (failure: ExchangeFailure | undefined) => void;
  readonly #onAbort = (): void => this.#controller?.abort(new Error('given up'));
  #controller: Dispatcher.DispatchController | undefined;
  #sent = false;
  #begun = false;
  #settled = false;

  constructor(
    sink: AnswerSink,
    signal: AbortSignal | undefined,
    settle: (failure: ExchangeFailure | undefined) => void,
  ) {
    this.#sink = sink;
    this.#signal = signal;
    this.#settle = settle;
    signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#signal?.aborted === true) this.#onAbort();
    else this.#sent = true;
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    _headers: unknown,
    message = '',
  ): void {
    // Interim answers are between the node and us.
    if (status < 200) return;
    this.#begun = true;
    this.#sink.begin(status, message, textsOf(controller.rawHeaders));
    // It has no body, but may show the length of one: undici would wait for that and call the answer broken.
    if (status === NOT_MODIFIED) this.onResponseEnd();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#sink.take(chunk, () => controller.resume())) controller.pause();
  }

  onResponseEnd(): void {
    if (this.#settled) return;
    this.#sink.end();
    this.#done(undefined);
  }

  onResponseError(_controller: unknown, cause: Error): void {
    this.#done({ cause, sent: this.#sent, begun: this.#begun });
  }

  #done(failure: ExchangeFailure | undefined): void {
    this.#settled = true;
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#settle(failure);
  }
}

/** Header bytes are Latin-1 to Node.js, in both directions. */
function textsOf(raw: Dispatcher.DispatchController['rawHeaders']): readonly string[] {
  return Array.isArray(raw) ? raw.map((part) => part.toString('latin1')) : [];
}
