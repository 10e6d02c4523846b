// One bulk sent to OpenSearch in a client's name, and its answer as one result for each operation, whatever comes back.
import {
  answerHeaders,
  bulkResults,
  type NamedOperation,
  type RawHeaders,
  requesterHeaders,
  toWeirError,
  whyUnacknowledged,
} from '@weir/shared';
import { failureItem } from '../bulk/failure-item.ts';
import type { UnsplitFate } from '../bulk/send-unsplit.ts';
import type { Upstream, UpstreamAnswer, UpstreamRequest } from './upstream.ts';

export type BulkCall = {
  /** Path and query. */
  readonly path: string;
  /** The client's own, as they came. */
  readonly rawHeaders: RawHeaders;
  readonly body: Buffer;
  readonly timeoutMs: number;
  readonly node?: UpstreamRequest['node'];
};

/** OpenSearch waits as long as its client lets it, and then answers; this is its way back. */
const WAY_BACK_MS = 5_000;

/** Throws as Upstream.ask does. */
export function askBulk(upstream: Pick<Upstream, 'ask'>, call: BulkCall): Promise<UpstreamAnswer> {
  return upstream.ask({
    method: 'POST',
    path: call.path,
    headers: [
      ...requesterHeaders(call.rawHeaders),
      ...['content-type', 'application/x-ndjson', 'accept', 'application/json'],
    ],
    body: call.body,
    timeoutMs: call.timeoutMs + WAY_BACK_MS,
    ...(call.node === undefined ? {} : { node: call.node }),
  });
}

/** Never rejects. What may have been done and was not answered is a failure of each operation that says so. */
export async function callBulk(
  upstream: Pick<Upstream, 'ask'>,
  call: BulkCall,
  operations: readonly NamedOperation[],
): Promise<UnsplitFate> {
  try {
    const answer = await askBulk(upstream, call);
    const { status, headers, body } = answer;
    const results = bulkResults(answer, operations);
    if (status === 200) return { results, whole: undefined, ingestTookMs: ingestTookMs(body) };
    return { results, whole: { status, headers: answerHeaders(headers), body } };
  } catch (thrown) {
    const { code, message, fields } = toWeirError(thrown);
    const failure = failureItem(code, fields['sent'] === false ? message : whyUnacknowledged(message));
    return { results: operations.map(() => failure), whole: undefined };
  }
}

const HEAD_BYTES = 64;
const INGEST_TOOK = /^\{"took":\d+,"ingest_took":(\d+),/;

/** Stands before the items, where a pipeline had any of them. */
function ingestTookMs(body: Buffer): number | undefined {
  const [, took] = INGEST_TOOK.exec(body.toString('latin1', 0, HEAD_BYTES)) ?? [];
  return took === undefined ? undefined : Number(took);
}
