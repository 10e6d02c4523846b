import { describe, expect, it } from '@jest/globals';
import { BulkParser } from '../bulk/parse-bulk.ts';
import { unsplitBody } from './unsplit-body.ts';

const defaults = {
  index: 'logs',
  routing: undefined,
  requireAlias: false,
  pipeline: undefined,
  fetchSource: { wanted: false, includes: [], excludes: [] },
};

function pick(text: string, places: readonly number[]): string {
  const body = Buffer.from(text);
  const parser = new BulkParser(body, defaults);
  parser.advance(Number.POSITIVE_INFINITY);
  const actions = parser.actions.filter((_, place) => places.includes(place));
  return unsplitBody(body, actions).toString();
}

describe('lines that go on unsplit', () => {
  const index = '{ "index" : {"_id":"1", "pipeline":"p"} }\r\n{"a":1.0}\r\n';
  const remove = '{"delete":{"_id":"2"}}\n';
  const last = '{"create":{}}\n{"ü":"😀"}\n';

  it('are the very bytes that came, line ends included, in their order', () => {
    expect(pick(index + remove + last, [0, 1, 2])).toBe(index + remove + last);
    expect(pick(index + remove + last, [0, 2])).toBe(index + last);
    expect(pick(index + remove + last, [1])).toBe(remove);
    expect(pick(index + remove + last, [2])).toBe(last);
  });

  it('leave out blank lines between actions, and the byte order mark before the first', () => {
    expect(pick(`\ufeff${remove}\n\n${index}\n${last}`, [0, 1, 2])).toBe(remove + index + last);
  });
});
