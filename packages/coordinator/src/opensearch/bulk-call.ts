// One bulk sent to OpenSearch in a client's name, and its answer as one result for each operation, whatever comes back.
import {
  answerHeaders,
  bulkResults,
  type NamedOperation,
  type RawHeaders,
  requesterHeaders,
  unansweredBulk,
} from '@weir/shared';
import type { SendUnsplit } from '../bulk/send-unsplit.ts';
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

type Fate = Awaited<ReturnType<SendUnsplit>>;

/** OpenSearch waits as long as its client lets it, and then answers; this is its way back. */
const WAY_BACK_MS = 5_000;

/** Never rejects. What may have been done and was not answered is a failure that says so. */
export async function callBulk(
  upstream: Pick<Upstream, 'ask'>,
  call: BulkCall,
  operations: readonly NamedOperation[],
): Promise<Fate & { readonly sent: boolean }> {
  try {
    const answer = await upstream.ask({
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
    return { ...fateOf(answer, operations), sent: true };
  } catch (thrown) {
    return { ...unansweredBulk(thrown, operations), whole: undefined };
  }
}

function fateOf(answer: UpstreamAnswer, operations: readonly NamedOperation[]): Fate {
  const { status, headers, body } = answer;
  const results = bulkResults(answer, operations);
  return { results, whole: status === 200 ? undefined : { status, headers: answerHeaders(headers), body } };
}
