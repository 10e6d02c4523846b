import { describe, expect, it } from '@jest/globals';
import { bulkBody, resultOf } from './send-bulk.ts';

const documents = ['a', 'b', 'c', 'd'].map((id) => ({ id, source: Buffer.from(`{"n":"${id}"}`) }));
const answer = (...items: object[]): string =>
  JSON.stringify({ errors: true, items: items.map((item) => ({ index: item })) });

describe('a bulk', () => {
  it('carries each document byte for byte behind its id', () => {
    const source = Buffer.from('{ "é" : 1.0 }');
    expect(bulkBody([{ id: 'x"y', source }]).toString()).toBe('{"index":{"_id":"x\\"y"}}\n{ "é" : 1.0 }\n');
  });
});

describe('the answer to a bulk', () => {
  it('tells which documents to send again: only the refused ones, after the longest wait asked for', () => {
    const result = resultOf(
      documents,
      200,
      '1',
      answer(
        { status: 201 },
        { status: 429, error: { type: 'rejected_execution_exception', weir: { retry_after_ms: 2_500 } } },
        { status: 400, error: { type: 'mapper_parsing_exception', reason: 'bad' } },
        { status: 503, error: { type: 'unavailable_shards_exception' } },
      ),
    );
    expect(result).toEqual({
      accepted: 1,
      again: [documents[1], documents[3]],
      refused: 1,
      failed: 1,
      firstFailure: 'c: 400 mapper_parsing_exception: bad',
      waitMs: 2_500,
    });
  });

  it('of 429 means all of it, after Retry-After', () => {
    expect(resultOf(documents, 429, '3', '{}')).toMatchObject({
      again: documents,
      refused: 4,
      waitMs: 3_000,
    });
  });

  it('of 503 means all of it, and is no refusal', () => {
    expect(resultOf(documents, 503, null, '')).toMatchObject({
      again: documents,
      refused: 0,
      waitMs: undefined,
    });
  });

  it('of any other kind is a failure of every document', () => {
    expect(resultOf(documents, 413, null, 'too large')).toMatchObject({
      again: [],
      failed: 4,
      firstFailure: 'status 413: too large',
    });
    expect(resultOf(documents, 200, null, 'not JSON').failed).toBe(4);
    expect(resultOf(documents, 200, null, answer({ status: 201 })).failed).toBe(3);
  });
});
