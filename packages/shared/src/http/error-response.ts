// How an error leaves over HTTP: OpenSearch's JSON body, its content type, and nothing of the inside.
import type { Response } from 'express';
import { toWeirError, type WeirError } from '../ops/errors.ts';

/** `{"error":{"root_cause":[{"type","reason"}],"type","reason",…fields},"status"}`. */
export type ErrorBody = {
  readonly error: Readonly<Record<string, unknown>>;
  readonly status: number;
};

/** OpenSearch's error body; control characters in the message are escaped so that a log or terminal shows one line. */
export function errorBody(error: WeirError): ErrorBody {
  const reason = escapeControlCharacters(error.message);
  const cause = { type: error.type, reason };
  return { error: { ...error.fields, root_cause: [cause], ...cause }, status: error.status };
}

/** Whether an answer is an error of its whole request. */
export function isErrorBody(body: unknown): body is ErrorBody {
  return typeof body === 'object' && body !== null && 'error' in body && 'status' in body;
}

/** Answers with any thrown value; a response that has begun can only be cut off. */
export function sendError(response: Response, thrown: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const error = toWeirError(thrown);
  const retryAfterMs = error.fields['retry_after_ms'];
  if (typeof retryAfterMs === 'number')
    response.setHeader('Retry-After', String(Math.max(1, Math.ceil(retryAfterMs / 1000))));
  response.status(error.status).json(errorBody(error));
}

/** Shows control characters, lone surrogates and line ends as JSON's \u escapes. */
export function escapeControlCharacters(text: string): string {
  return text
    .toWellFormed()
    .replace(
      /[\p{Cc}\u2028\u2029]/gu,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}
