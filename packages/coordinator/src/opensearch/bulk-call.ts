// One bulk sent to OpenSearch in a client's name, and its answer as one result for each operation, whatever comes back.
import { escapeControlCharacters, type GivenItem, readBulkAnswer, toWeirError } from '@weir/shared';
import { failureItem } from '../bulk/failure-item.ts';
import type { SendUnsplit, WholeAnswer } from '../bulk/send-unsplit.ts';
import { answerHeaders, type RawHeaders, requesterHeaders } from './end-to-end-headers.ts';
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

/** What names one operation in an error that was made for all of them. */
export type NamedOperation = { readonly index: string | undefined; readonly id: string | undefined };

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
    const { code, message, fields } = toWeirError(thrown);
    const sent = fields['sent'] !== false;
    const why = sent ? `the write is not acknowledged and may have been applied: ${message}` : message;
    const failure = failureItem(code, why);
    return { results: operations.map(() => failure), whole: undefined, sent };
  }
}

function fateOf(answer: UpstreamAnswer, operations: readonly NamedOperation[]): Fate {
  const { status, headers, body } = answer;
  if (status !== 200) {
    const whole: WholeAnswer = { status, headers: answerHeaders(headers), body };
    return { results: operations.map((operation) => itemOf(operation, status, body)), whole };
  }
  const items = readBulkAnswer(body);
  if (items !== undefined && items.length === operations.length) return { results: items, whole: undefined };
  const found =
    items === undefined
      ? 'a body that is no answer to a bulk'
      : `${items.length} items for ${operations.length} operations`;
  const failure = failureItem(
    'bad_gateway',
    `the write is not acknowledged and may have been applied: OpenSearch answered with ${found}`,
  );
  return { results: operations.map(() => failure), whole: undefined };
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
