// HTTP as a client speaks it to one coordinator: answers with their status, headers, text and parsed body.

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; empty where it is not JSON. */
  readonly body: Record<string, unknown>;
};

export type HttpCalls = {
  ask(path: string, init?: RequestInit): Promise<Answer>;
  /** JSON with its content type; nothing for an undefined body. */
  send(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Lines that are no texts are written as JSON. */
  bulk(path: string, ...lines: readonly unknown[]): Promise<Answer>;
};

/** Calls of the service at this base URL. */
export function httpCalls(origin: string): HttpCalls {
  const ask = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(origin + path, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: bodyOf(text) };
  };
  return {
    ask,
    send: (method, path, body) =>
      ask(path, {
        method,
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      }),
    bulk: (path, ...lines) =>
      ask(path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        body: `${lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')}\n`,
      }),
  };
}

function bodyOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
