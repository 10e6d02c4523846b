import { describe, expect, it } from '@jest/globals';
import { WeirError } from '../ops/errors.ts';
import type { Operation, ReplicaRequest, ShardRequest } from './operation.ts';
import {
  decodeReplicaRequest,
  decodeShardRequest,
  encodeReplicaRequest,
  encodeShardRequest,
} from './shard-request-frame.ts';

const plain: Operation = {
  kind: 'index',
  id: '日本',
  autoId: true,
  routing: undefined,
  source: Buffer.from('{"big":9007199254740993,"f":1.0}'),
  ifSeqNo: undefined,
  ifPrimaryTerm: undefined,
  version: undefined,
  versionType: 'internal',
  retryOnConflict: 0,
  returnSource: false,
};
const request: ShardRequest = {
  index: 'logs',
  indexUuid: 'u',
  shard: 3,
  primaryTerm: 2,
  bytes: 300,
  digest: 77,
  timeoutMs: 60_000,
  waitForActiveShards: 'all',
  refresh: 'wait_for',
  requestId: 'r1',
  bulkId: 'b1',
  opaqueId: undefined,
  traceId: 't',
  operations: [
    plain,
    {
      ...plain,
      kind: 'update',
      id: '2',
      autoId: false,
      routing: 'a',
      ifSeqNo: 4,
      ifPrimaryTerm: 1,
      retryOnConflict: 3,
      returnSource: true,
    },
    {
      ...plain,
      kind: 'delete',
      id: '3',
      autoId: false,
      source: Buffer.alloc(0),
      version: 9,
      versionType: 'external_gte',
    },
  ],
};

describe('shard requests on the wire', () => {
  it('C023: arrive as they were sent, sources byte for byte', () => {
    expect(decodeShardRequest(encodeShardRequest(request))).toEqual(request);
  });

  it('whose ids were all made by the coordinator say so once', () => {
    const automatic = request.operations.map((operation) => ({ ...operation, autoId: true }));
    const frame = encodeShardRequest({ ...request, operations: automatic });
    expect(frame.includes('"auto_id"')).toBe(false);
    expect(decodeShardRequest(frame).operations).toEqual(automatic);
  });

  it('arrive at a replica with versions and sequence numbers', () => {
    const { digest: _d, waitForActiveShards: _w, opaqueId: _o, traceId: _t, ...target } = request;
    const replica: ReplicaRequest = {
      ...target,
      operations: [
        {
          kind: 'index',
          id: 'a',
          routing: 'x',
          source: Buffer.from('{}'),
          version: 4,
          seqNo: 7,
          primaryTerm: 2,
        },
        {
          kind: 'delete',
          id: 'b',
          routing: undefined,
          source: Buffer.alloc(0),
          version: 1,
          seqNo: 8,
          primaryTerm: 2,
        },
      ],
    };
    expect(decodeReplicaRequest(encodeReplicaRequest(replica))).toEqual(replica);
  });

  it.each([
    ['cut in its head', (frame: Buffer) => frame.subarray(0, 20)],
    ['cut in its sources', (frame: Buffer) => frame.subarray(0, frame.length - 1)],
    ['with bytes behind its sources', (frame: Buffer) => Buffer.concat([frame, Buffer.from('x')])],
    ['empty', () => Buffer.alloc(0)],
    ['of random bytes', () => Buffer.from('0000000000000000', 'hex')],
  ])('a frame %s is refused by name', (_case, spoil) => {
    expect(() => decodeShardRequest(spoil(encodeShardRequest(request)))).toThrow(WeirError);
  });
});
