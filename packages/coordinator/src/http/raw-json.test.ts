import { describe, expect, it } from '@jest/globals';
import { RawJson, stringifyWithRaw, withoutRaw } from './raw-json.ts';

const source = '{ "big": 12345678901234567890, "b":1.0,"a":"$& \\u00e9" }';

describe('a stored document in an answer', () => {
  it('stands there byte for byte', () => {
    const text = stringifyWithRaw({
      hits: [{ _source: new RawJson(source) }, { _source: new RawJson('{}') }],
    });
    expect(text).toBe(`{"hits":[{"_source":${source}},{"_source":{}}]}`);
  });

  it('is parsed where the answer has to be laid out anew', () => {
    expect(withoutRaw({ a: new RawJson('{"b":1}') })).toEqual({ a: { b: 1 } });
  });
});
