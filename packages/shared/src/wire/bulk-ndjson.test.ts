import { describe, expect, it } from '@jest/globals';
import { bulkBody } from './bulk-ndjson.ts';
import type { Operation } from './operation.ts';

const plain: Operation = {
  kind: 'index',
  id: '1',
  autoId: false,
  routing: undefined,
  source: Buffer.from('{"a":1.0}'),
  ifSeqNo: undefined,
  ifPrimaryTerm: undefined,
  version: undefined,
  versionType: 'internal',
  retryOnConflict: 0,
  returnSource: false,
};

describe('operations as the body of a bulk', () => {
  it('keep their order and their documents byte for byte', () => {
    const source = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]);
    const body = bulkBody('logs', [
      plain,
      { ...plain, id: 'ü"\\', source },
      { ...plain, kind: 'delete', id: '3', source: Buffer.alloc(0) },
      { ...plain, kind: 'create', id: '4' },
    ]);
    const head =
      '{"index":{"_index":"logs","_id":"1"}}\n{"a":1.0}\n{"index":{"_index":"logs","_id":"ü\\"\\\\"}}\n';
    const tail =
      '\n{"delete":{"_index":"logs","_id":"3"}}\n{"create":{"_index":"logs","_id":"4"}}\n{"a":1.0}\n';
    expect(body.equals(Buffer.concat([Buffer.from(head), source, Buffer.from(tail)]))).toBe(true);
  });

  it('go by the alias that their client named, so that it is resolved anew', () => {
    const body = bulkBody('logs-1', [{ ...plain, alias: 'logs', requireAlias: true }, plain]).toString();
    expect(body).toContain('{"_index":"logs","_id":"1","require_alias":true}');
    expect(body).toContain('{"_index":"logs-1","_id":"1"}');
  });

  it('say what they demand', () => {
    const demanding: Operation = {
      ...plain,
      kind: 'update',
      routing: 'r',
      ifSeqNo: 0,
      ifPrimaryTerm: 1,
      version: 7,
      versionType: 'external_gte',
      retryOnConflict: 3,
      returnSource: true,
    };
    const [line = ''] = bulkBody('logs', [demanding]).toString().split('\n');
    expect(JSON.parse(line)).toEqual({
      update: {
        _index: 'logs',
        _id: '1',
        routing: 'r',
        if_seq_no: 0,
        if_primary_term: 1,
        version: 7,
        version_type: 'external_gte',
        retry_on_conflict: 3,
        _source: true,
      },
    });
  });
});
