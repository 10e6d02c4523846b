// An error of one item as its client sees it, made from a code or from an error that was thrown.
import { ERROR_CODES, type ErrorCode, type ItemFailure, WeirError } from '@weir/shared';

/** `where` stands in the error where it was raised for an index or a shard of it. */
export function failureItem(
  code: ErrorCode,
  reason: string,
  where: { readonly index?: string; readonly shard?: string; readonly index_uuid?: string } = {},
): ItemFailure {
  const { status, type } = ERROR_CODES[code];
  return { ok: false, status, error: { type, reason, ...where } };
}

/** A thrown error as an item's; what is no WeirError is passed on, it is a fault of our own. */
export function failureOf(thrown: unknown): ItemFailure {
  if (!(thrown instanceof WeirError)) throw thrown;
  const { index, index_uuid } = thrown.fields;
  return failureItem(thrown.code, thrown.message, {
    ...(typeof index === 'string' ? { index } : {}),
    ...(typeof index_uuid === 'string' ? { index_uuid } : {}),
  });
}

/** OpenSearch's answer to an operation on an index that does not exist. */
export function missingIndex(index: string, and = ''): ItemFailure {
  return failureItem('index_not_found', `no such index [${index}]${and}`, { index, index_uuid: '_na_' });
}
