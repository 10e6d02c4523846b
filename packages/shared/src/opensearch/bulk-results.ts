// What became of each operation of a bulk that was sent to OpenSearch, whatever came back.
import { escapeControlCharacters } from '../http/error-response.ts';
import { ERROR_CODES, type ErrorCode, toWeirError } from '../ops/errors.ts';
import { readBulkAnswer } from '../wire/bulk-answer.ts';
import {
  type GivenItem,
  type ItemFailure,
  type OperationResult,
  whyUnacknowledged,
} from '../wire/operation.ts';

/** What names one operation in an error that was made for all of them. */
export type NamedOperation = { readonly index: string | undefined; readonly id: string | undefined };

/** The answer's items as they were given; an error of the whole request, or an answer that is none, as that of each operation. */
export function bulkResults(
  { status, body }: { readonly status: number; readonly body: Buffer },
  operations: readonly NamedOperation[],
): readonly OperationResult[] {
  if (status !== 200) return operations.map((operation) => itemOf(operation, status, body));
  const items = readBulkAnswer(body);
  if (items !== undefined && items.length === operations.length) return items;
  const found =
    items === undefined
      ? 'a body that is no answer to a bulk'
      : `${items.length} items for ${operations.length} operations`;
  const failure = failed('bad_gateway', whyUnacknowledged(`OpenSearch answered with ${found}`));
  return operations.map(() => failure);
}

/** Where an error came instead of an answer: `sent` is false only when nothing of the request can have arrived. */
export function unansweredBulk(
  thrown: unknown,
  operations: readonly NamedOperation[],
): { readonly results: readonly ItemFailure[]; readonly sent: boolean } {
  const { code, message, fields } = toWeirError(thrown);
  const sent = fields['sent'] !== false;
  const failure = failed(code, sent ? whyUnacknowledged(message) : message);
  return { results: operations.map(() => failure), sent };
}

function failed(code: ErrorCode, reason: string): ItemFailure {
  const { status, type } = ERROR_CODES[code];
  return { ok: false, status, error: { type, reason } };
}

/** An error of the whole request as that of one item. */
function itemOf({ index, id }: NamedOperation, status: number, body: Buffer): GivenItem {
  const error = errorOf(body) ?? {
    type: 'status_exception',
    reason: `OpenSearch answered with status ${status}: ${escapeControlCharacters(body.toString('utf8', 0, 200))}`,
  };
  return { ok: false, status, body: JSON.stringify({ _index: index, _id: id ?? null, status, error }) };
}

/** The `error` of OpenSearch's JSON, without the list of causes that repeats it. */
function errorOf(body: Buffer): object | undefined {
  try {
    const { error } = JSON.parse(body.toString()) as { error?: unknown };
    if (typeof error !== 'object' || error === null || !('type' in error)) return undefined;
    const { root_cause: _, ...own } = error as Record<string, unknown>;
    return own;
  } catch {
    return undefined;
  }
}
