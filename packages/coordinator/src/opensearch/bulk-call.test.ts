import { describe, expect, it } from '@jest/globals';
import { WeirError } from '@weir/shared';
import { callBulk } from './bulk-call.ts';
import type { UpstreamAnswer, UpstreamRequest } from './upstream.ts';

const OPERATIONS = [
  { index: 'a', id: '1' },
  { index: 'b', id: undefined },
];
const asked: UpstreamRequest[] = [];

function call(answer: Partial<UpstreamAnswer> | WeirError) {
  const upstream = {
    async ask(request: UpstreamRequest): Promise<UpstreamAnswer> {
      asked.push(request);
      if (answer instanceof WeirError) throw answer;
      return { status: 200, headers: [], body: Buffer.alloc(0), ...answer };
    },
  };
  const rawHeaders = ['Authorization', 'Basic eA==', 'Content-Encoding', 'gzip', 'Connection', 'close'];
  return callBulk(
    upstream,
    { path: '/_bulk?x', rawHeaders, body: Buffer.from('lines'), timeoutMs: 1_000 },
    OPERATIONS,
  );
}

const body = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
const items = (...statuses: number[]) => ({ items: statuses.map((status) => ({ index: { status } })) });

describe('a bulk sent to OpenSearch', () => {
  it("asks with the client's own rights, and longer than OpenSearch waits itself", async () => {
    await call({ body: body(items(201, 201)) });
    expect(asked.at(-1)).toMatchObject({
      method: 'POST',
      path: '/_bulk?x',
      headers: [
        ...['Authorization', 'Basic eA=='],
        ...['content-type', 'application/x-ndjson', 'accept', 'application/json'],
      ],
      timeoutMs: 6_000,
    });
  });

  it('gives each item as it was answered', async () => {
    const { results, whole } = await call({ body: body(items(201, 409)) });
    expect(results).toEqual([
      { ok: true, status: 201, body: '{"status":201}' },
      { ok: true, status: 409, body: '{"status":409}' },
    ]);
    expect(whole).toBeUndefined();
  });

  it.each([
    ['fewer items than operations', body(items(201)), '1 items for 2 operations'],
    ['more items than operations', body(items(201, 201, 201)), '3 items for 2 operations'],
    ['half an answer', body('{"items":[{"index":{"status":201'), 'a body that is no answer to a bulk'],
    ['something that is not JSON', body('<html>'), 'a body that is no answer to a bulk'],
  ])('acknowledges nothing on %s', async (_, answer, reason) => {
    const { results } = await call({ body: answer });
    expect(results).toMatchObject([
      { ok: false, status: 502, error: { reason: expect.stringContaining(reason) } },
      { ok: false, status: 502, error: { reason: expect.stringContaining('may have been applied') } },
    ]);
  });

  it('is answered with the whole error where there is one, and that error for every item', async () => {
    const error = { root_cause: [{}], type: 'rejected_execution_exception', reason: 'full', x: 1 };
    const { results, whole } = await call({
      status: 429,
      headers: ['X-One', '1', 'Connection', 'close'],
      body: body({ error, status: 429 }),
    });
    expect(whole).toMatchObject({ status: 429, headers: ['X-One', '1'] });
    expect(results.map((result) => ('body' in result ? JSON.parse(result.body) : result))).toEqual([
      { _index: 'a', _id: '1', status: 429, error: { type: error.type, reason: 'full', x: 1 } },
      { _index: 'b', _id: null, status: 429, error: { type: error.type, reason: 'full', x: 1 } },
    ]);
  });

  it.each(['Unauthorized', '{"error":"plain","status":401}', ''])(
    'puts %j into words as an error',
    async (text) => {
      const { results } = await call({ status: 401, body: body(text) });
      expect(results[0]).toMatchObject({ ok: false, status: 401 });
      expect(
        JSON.parse('body' in (results[0] ?? {}) ? (results[0] as { body: string }).body : ''),
      ).toMatchObject({
        error: { type: 'status_exception', reason: `OpenSearch answered with status 401: ${text}` },
      });
    },
  );

  it('says whether anything can have been applied where nothing came back', async () => {
    const lost = await call(
      new WeirError('gateway_timeout', 'POST /_bulk: no answer', { fields: { sent: true } }),
    );
    expect(lost.results).toMatchObject([
      { status: 504, error: { reason: expect.stringContaining('may have been applied') } },
      {},
    ]);
    const unsent = await call(
      new WeirError('bad_gateway', 'POST /_bulk: ECONNREFUSED', { fields: { sent: false } }),
    );
    expect(unsent.results).toMatchObject([
      { status: 502, error: { reason: 'POST /_bulk: ECONNREFUSED' } },
      {},
    ]);
  });
});
