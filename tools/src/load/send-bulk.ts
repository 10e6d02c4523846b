// One bulk to the coordinator, and which of its documents have to be sent again.
import { systemTimers } from '@weir/shared';
import { causeOf } from './cause-of.ts';
import type { LoadDocument } from './documents.ts';

export type BulkResult = {
  readonly accepted: number;
  /** Refused or not available: may be sent again, after `waitMs`. */
  readonly again: readonly LoadDocument[];
  /** Of these, refused by admission. */
  readonly refused: number;
  /** Failed for good, with the reason of the first. */
  readonly failed: number;
  readonly firstFailure: string | undefined;
  /** What the server asks to wait; undefined where it says nothing. */
  readonly waitMs: number | undefined;
};

type Item = {
  readonly status?: number;
  readonly error?: {
    readonly type?: string;
    readonly reason?: string;
    readonly weir?: { readonly retry_after_ms?: number };
  };
};

const LINE_END = Buffer.from('\n');
/** Longer than any timeout of the coordinator. */
const TIMEOUT_MS = 120_000;
/** Too many requests, or a part of the cluster that is away for now. */
const TRY_AGAIN = new Set([429, 502, 503, 504]);

/** The body of a bulk; the sources are not touched. */
export function bulkBody(documents: readonly LoadDocument[]): Buffer {
  return Buffer.concat(
    documents.flatMap(({ id, source }) => [
      Buffer.from(`{"index":{"_id":${JSON.stringify(id)}}}\n`),
      source,
      LINE_END,
    ]),
  );
}

/** Sends a bulk. A connection that fails is like a 503: nothing is known, all of it is sent again. */
export async function sendBulk(
  url: string,
  index: string,
  documents: readonly LoadDocument[],
): Promise<BulkResult> {
  const abort = new AbortController();
  const cancel = systemTimers.after(TIMEOUT_MS, () => abort.abort());
  try {
    const response = await fetch(`${url}/${encodeURIComponent(index)}/_bulk`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: bulkBody(documents),
      signal: abort.signal,
    });
    return resultOf(documents, response.status, response.headers.get('retry-after'), await response.text());
  } catch (error) {
    return { ...NOTHING, again: documents, firstFailure: causeOf(error) };
  } finally {
    cancel();
  }
}

const NOTHING: BulkResult = {
  accepted: 0,
  again: [],
  refused: 0,
  failed: 0,
  firstFailure: undefined,
  waitMs: undefined,
};

/** What an answer means for each document. */
export function resultOf(
  documents: readonly LoadDocument[],
  status: number,
  retryAfter: string | null,
  text: string,
): BulkResult {
  const waitMs = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : undefined;
  if (TRY_AGAIN.has(status))
    return { ...NOTHING, again: documents, refused: status === 429 ? documents.length : 0, waitMs };
  const items = itemsOf(text);
  if (status !== 200 || items === undefined)
    return { ...NOTHING, failed: documents.length, firstFailure: `status ${status}: ${text.slice(0, 500)}` };
  return itemResults(documents, items, waitMs);
}

function itemResults(
  documents: readonly LoadDocument[],
  items: readonly Item[],
  waitMs: number | undefined,
): BulkResult {
  const statusOf = (at: number): number => items[at]?.status ?? 500;
  const again = documents.filter((_, at) => TRY_AGAIN.has(statusOf(at)));
  const failed = documents.flatMap((document, at) => {
    const status = statusOf(at);
    return status < 300 || TRY_AGAIN.has(status) ? [] : [failureLine(document, status, items[at]?.error)];
  });
  const asked = items.map((item) => item.error?.weir?.retry_after_ms ?? 0);
  return {
    accepted: documents.length - again.length - failed.length,
    again,
    refused: items.filter((item) => item.status === 429).length,
    failed: failed.length,
    firstFailure: failed[0],
    waitMs: asked.reduce((most, ms) => Math.max(most, ms), waitMs ?? 0) || undefined,
  };
}

function failureLine(document: LoadDocument, status: number, error: Item['error']): string {
  return `${document.id}: ${status} ${error?.type ?? ''}: ${error?.reason ?? 'no answer for this item'}`;
}

function itemsOf(text: string): readonly Item[] | undefined {
  try {
    const body: { items?: readonly Record<string, Item>[] } = JSON.parse(text);
    return body.items?.map((item) => Object.values(item)[0] ?? {});
  } catch {
    return undefined;
  }
}
