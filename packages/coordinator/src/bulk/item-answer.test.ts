import { describe, expect, it } from '@jest/globals';
import type { ItemSuccess } from '@weir/shared';
import { type AnsweredItem, itemBody, itemText } from './item-answer.ts';

const written: ItemSuccess = {
  ok: true,
  status: 201,
  result: 'created',
  version: 3,
  seqNo: 7,
  primaryTerm: 2,
  shards: { total: 2, successful: 1, failed: 0 },
};
const base: AnsweredItem = {
  index: 'logs',
  id: 'a"\u2028é😀',
  result: written,
  fetchSource: { wanted: false, includes: [], excludes: [] },
  forcedRefresh: false,
};
const failure = { node: 'dn2', status: 'CONFLICT', reason: { type: 't', reason: 'r' }, primary: false };
const wholeSource = { found: true, _source: { a: 1, b: { c: 2, d: 3 } } };

describe('an item of an answer', () => {
  it.each<[string, Partial<AnsweredItem>]>([
    ['a document written', {}],
    ['one that was made visible', { forcedRefresh: true }],
    [
      'an update that changed nothing',
      { forcedRefresh: true, result: { ...written, result: 'noop', status: 200 } },
    ],
    [
      'one that a replica missed',
      { result: { ...written, shards: { total: 2, successful: 1, failed: 1, failures: [failure] } } },
    ],
    ['an update with its source', { result: { ...written, get: wholeSource } }],
    [
      'a failure without an id',
      { id: null, result: { ok: false, status: 400, error: { type: 't', reason: 'r' } } },
    ],
    [
      'what another engine gave',
      { result: { ok: true, status: 201, body: '{"_id":"1","status":201,"x":[1]}' } },
    ],
  ])('is the same as text and as an object: %s', (_name, change) => {
    const item = { ...base, ...change };
    expect(itemText(item)).toBe(JSON.stringify(itemBody(item)));
  });

  it('given by another engine is passed on byte for byte', () => {
    const body = '{"_id":"1", "big":9007199254740993,"status":201}';
    expect(itemText({ ...base, result: { ok: true, status: 201, body } })).toBe(body);
  });

  it('shows only the parts of a source that were asked for, whichever engine gave it', () => {
    const fetchSource = { wanted: true, includes: ['b.*'], excludes: ['b.d'] };
    const cut = { get: { found: true, _source: { b: { c: 2 } } } };
    expect(itemBody({ ...base, fetchSource, result: { ...written, get: wholeSource } })).toMatchObject(cut);
    const body = JSON.stringify({ _id: '1', get: wholeSource, status: 200 });
    const text = itemText({ ...base, fetchSource, result: { ok: true, status: 200, body } });
    expect(JSON.parse(text)).toEqual({ _id: '1', ...cut, status: 200 });
  });

  it('shows control characters of a reason escaped, so that a terminal sees one line', () => {
    const result = { ok: false, status: 400, error: { type: 't', reason: 'a\nb\u0000' } } as const;
    expect(itemBody({ ...base, result })).toMatchObject({ error: { reason: 'a\\u000ab\\u0000' } });
  });
});
