// What became of each operation of a bulk that was sent to OpenSearch, whatever came back.
import { escapeControlCharacters } from '../http/error-response.ts';
import { WeirError } from '../ops/errors.ts';
import { readBulkAnswer } from '../wire/bulk-answer.ts';
import type { GivenItem, OperationResult } from '../wire/operation.ts';

/** What names one operation in an error that was made for all of them. */
export type NamedOperation = { readonly index: string | undefined; readonly id: string | undefined };

/**
 * The answer's items as they were given; an error of the whole request as that of each operation. Throws `bad_gateway` where the answer is none, or
 * not a whole one: what became of the operations is unknown then.
 */
export function bulkResults(
  { status, body }: { readonly status: number; readonly body: Buffer },
  operations: readonly NamedOperation[],
): readonly OperationResult[] {
  if (status !== 200) {
    const error = errorOf(status, body);
    return operations.map(({ index, id }) => givenError({ _index: index, _id: id ?? null, status, error }));
  }
  const items = readBulkAnswer(body);
  if (items !== undefined && items.length === operations.length) return items;
  const found =
    items === undefined
      ? 'a body that is no answer to a bulk'
      : `${items.length} items for ${operations.length} operations`;
  throw new WeirError('bad_gateway', `OpenSearch answered with ${found}`, { fields: { sent: true } });
}

function givenError(item: { readonly status: number } & Record<string, unknown>): GivenItem {
  return { ok: false, status: item.status, body: JSON.stringify(item) };
}

/** The `error` of OpenSearch's JSON, without the list of causes that repeats it; else its words as one. */
function errorOf(status: number, body: Buffer): object {
  const error = parsedError(body);
  if (typeof error !== 'object' || error === null || !('type' in error)) {
    const words = escapeControlCharacters(body.toString('utf8', 0, 200));
    return {
      type: 'status_exception',
      reason: `OpenSearch answered with status ${status}: ${words}`,
    };
  }
  const { root_cause: _, ...own } = error as Record<string, unknown>;
  return own;
}

function parsedError(body: Buffer): unknown {
  try {
    return (JSON.parse(body.toString()) as { error?: unknown } | null)?.error;
  } catch {
    return undefined;
  }
}
