import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readBulkAnswer } from './bulk-answer.ts';

const read = (text: string) => readBulkAnswer(Buffer.from(text));

describe('answer to a bulk', () => {
  it('gives each item as it was written, with its status and whether it has an error', () => {
    const created =
      '{"_index":"a","_id":"1","_version":9223372036854775807,"result":"created","_seq_no":0,"status":201}';
    const missing = '{"_index":"a","_id":"2","result":"not_found","_shards":{"total":2},"status":404}';
    const failed =
      '{"_index":"a","_id":"3","status":409,"error":{"type":"version_conflict_engine_exception","reason":"[3]: \\"x\\" }] ü😀","status":1}}';
    const body = `{"took":1,"errors":true,"items":[{"index":${created}},{"delete":${missing}},{"create":${failed}}]}`;
    expect(read(body)).toEqual([
      { ok: true, status: 201, body: created },
      { ok: true, status: 404, body: missing },
      { ok: false, status: 409, body: failed },
    ]);
  });

  it.each([
    ['of OpenSearch', '', ''],
    ['of Elasticsearch 7', '"_type":"_doc",', ''],
    ['after a refresh', '', '"forced_refresh":true,'],
  ])('gives a write that was done as it was written: %s', (_, type, forced) => {
    const shards = '"_shards":{"total":2,"successful":1,"failed":0}';
    const one = (id: string, status: number) =>
      `{"_index":"a",${type}"_id":"${id}","_version":1,"result":"created",${forced}${shards},"_seq_no":3,"_primary_term":1,"status":${status}}`;
    const bodies = [one('1', 201), one('\\"}}', 200), one('ü', 404)];
    expect(read(`{"items":[${bodies.map((body) => `{"index":${body}}`).join()}]}`)).toEqual([
      { ok: true, status: 201, body: bodies[0] },
      { ok: true, status: 200, body: bodies[1] },
      { ok: true, status: 404, body: bodies[2] },
    ]);
  });

  it('reads members in any order and any layout', () => {
    const item = '{\n "status" : 200 , "get" : { "_source" : { "a" : [ 1.0 , "]" ] } } }';
    expect(read(` { "items" : [ { "update" : ${item} } ] , "took" : 3 }\n`)).toEqual([
      { ok: true, status: 200, body: item },
    ]);
    expect(read('{"items":[]}')).toEqual([]);
  });

  it.each([
    '',
    'null',
    'Bad gateway',
    '{"error":"x","status":500}',
    '{"items":[{"index":{"status":201}}',
    '{"items":[{"index":{"status":201}}]} x',
    '{"items":[{"index":{"status":201',
    '{"items":[{"index":{"_id":"1"}}]}',
    '{"items":[{"index":"x"}]}',
    '{"items":{"index":{"status":201}}}',
    '{"items":[{"index":{"status":"no"}}]}',
    '{"items":["unterminated]}',
  ])('is not taken for one where it is %j', (text) => {
    expect(read(text)).toBeUndefined();
  });

  it('finds in any JSON what JSON.parse finds', () => {
    const item = fc.record({ status: fc.integer({ min: 100, max: 599 }), inner: fc.jsonValue() });
    fc.assert(
      fc.property(
        fc.array(item, { maxLength: 8 }),
        fc.option(fc.integer({ min: 1, max: 3 })),
        (items, indent) => {
          const answer = { took: 1, items: items.map((one) => ({ index: one })), errors: false };
          const found = read(JSON.stringify(answer, null, indent ?? 0)) ?? [];
          expect(found.map(({ body }) => JSON.parse(body))).toEqual(
            items.map((one) => JSON.parse(JSON.stringify(one))),
          );
          expect(found.map(({ status }) => status)).toEqual(items.map(({ status }) => status));
        },
      ),
    );
  });

  it('never takes a cut answer for a whole one', () => {
    const whole =
      '{"took":1,"errors":false,"items":[{"index":{"_id":"a\\\\","status":201}},{"index":{"status":200}}]}';
    for (let length = 0; length < whole.length; length += 1)
      expect(read(whole.slice(0, length))).toBeUndefined();
  });
});
