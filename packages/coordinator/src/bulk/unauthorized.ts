// Was the client of a bulk not let in at all? Then that is the answer to its request, as it is without Weir, and not to each item.
import type { OperationResult } from '@weir/shared';
import type { WholeAnswer } from './send-unsplit.ts';

const UNAUTHORIZED = 401;

/** The answer where an engine behind took the client's rights for none in every part of the bulk. */
export function unauthorizedAnswer(results: readonly OperationResult[]): WholeAnswer | undefined {
  const [first] = results;
  if (first === undefined || results.some(({ status }) => status !== UNAUTHORIZED)) return undefined;
  const error: unknown = 'body' in first ? JSON.parse(first.body).error : 'error' in first ? first.error : {};
  return {
    status: UNAUTHORIZED,
    headers: [
      'WWW-Authenticate',
      'Basic realm="OpenSearch"',
      'Content-Type',
      'application/json; charset=utf-8',
    ],
    body: Buffer.from(JSON.stringify({ error, status: UNAUTHORIZED })),
  };
}
