import { describe, expect, it } from '@jest/globals';
import { parseUpdate } from './parse-update.ts';

const parse = (text: string): ReturnType<typeof parseUpdate> => parseUpdate(Buffer.from(text));

describe('parseUpdate', () => {
  it('reads doc, upsert and options', () => {
    expect(
      parse('{"doc":{"a":"x"},"upsert":{"b":"y"},"detect_noop":false,"if_seq_no":3,"if_primary_term":1}'),
    ).toEqual({
      doc: { a: 'x' },
      upsert: { b: 'y' },
      detectNoop: false,
      source: undefined,
      ifSeqNo: 3,
      ifPrimaryTerm: 1,
    });
  });

  it('takes doc itself as upsert with doc_as_upsert, as a boolean or its text', () => {
    expect(parse('{"doc":{"a":"x"},"doc_as_upsert":true}').upsert).toEqual({ a: 'x' });
    expect(parse('{"doc":{"a":"x"},"doc_as_upsert":"true","upsert":{}}').upsert).toEqual({ a: 'x' });
    expect(parse('{"doc":{},"doc_as_upsert":false}').upsert).toBeUndefined();
  });

  it('C009: script and doc together are named whichever comes first, a script alone is named as unsupported', () => {
    const both = "Validation Failed: 1: can't provide both script and doc;";
    expect(() => parse('{"script":{"source":"x"},"doc":{"m":"y"}}')).toThrow(both);
    expect(() => parse('{"doc":{"m":"y"},"script":{"source":"x"}}')).toThrow(both);
    expect(() => parse('{"script":{"source":"x"}}')).toThrow('[script] is not supported');
    expect(() => parse('{"scripted_upsert":true,"doc":{}}')).toThrow('[scripted_upsert] is not supported');
  });

  it.each([
    ['{"dco":{}}', '[UpdateRequest] unknown field [dco], allowed: [doc, upsert'],
    ['{"a\\nb":1}', 'unknown field [a\uFFFDb]'],
    ['{}', 'script or doc is missing'],
    ['{"doc_as_upsert":true}', 'doc must be specified if doc_as_upsert is enabled'],
    ['{"doc":[1]}', 'failed to parse field [doc]: got [1], allowed: an object'],
    ['{"doc":{},"upsert":"x"}', 'failed to parse field [upsert]'],
    ['{"doc":{},"detect_noop":1}', 'failed to parse field [detect_noop]: got 1, allowed: true or false'],
    ['{"doc":{},"if_seq_no":-1}', 'failed to parse field [if_seq_no]: got -1'],
    ['{"doc":{},"doc":{}}', 'key [doc] stands twice'],
    ['[1]', 'a document has to be a JSON object'],
    ['{"doc":', 'the JSON ends too early'],
  ])('refuses %s', (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });
});
