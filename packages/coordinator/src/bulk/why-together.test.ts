import { describe, expect, it } from '@jest/globals';
import { type BulkAction, NO_CONDITIONS } from './bulk-action.ts';
import { whyTogether } from './why-together.ts';

const update = (source: string, conditions: Partial<BulkAction['conditions']> = {}): BulkAction => ({
  line: 1,
  kind: 'update',
  index: 'a',
  id: '1',
  routing: undefined,
  source: Buffer.from(source),
  conditions: { ...NO_CONDITIONS, ...conditions },
  requireAlias: false,
  pipeline: undefined,
  fetchSource: { wanted: false, includes: [], excludes: [] },
});

const why = (action: BulkAction, unknown: string[] = []) =>
  whyTogether({ unknown: () => unknown }, [action], async () => undefined);

const CAS = { ifSeqNo: 1, ifPrimaryTerm: 1 };

describe('a whole request', () => {
  it.each([
    ['{"doc":{"a":1}}', {}],
    ['{"doc":{},"doc_as_upsert":true,"detect_noop":false,"_source":true}', {}],
    ['{"doc":{},"upsert":{}}', {}],
    ['{"script":{"source":"x"},"upsert":{},"scripted_upsert":true}', {}],
    ['{"doc":{"a":1}}', CAS],
  ])('is split with the update %s %j', async (source, conditions) => {
    expect(await why(update(source, conditions))).toBeUndefined();
  });

  it.each([
    ['{}', {}],
    ['[]', {}],
    ['{"doc":', {}],
    ['{"doc":1}', {}],
    ['{"doc":{},"upsert":[]}', {}],
    ['{"doc":{},"script":"x"}', {}],
    ['{"script":"x","doc_as_upsert":true}', {}],
    ['{"doc":{},"other":1}', {}],
    ['{"doc":{"a":1,"a":2}}', {}],
    ['{"doc":{},"upsert":{}}', CAS],
    ['{"doc":{},"doc_as_upsert":true}', CAS],
    ['{"doc":{}}', { ...CAS, retryOnConflict: 2 }],
  ])(
    'goes on unsplit with the update %s %j, for which all of it may be refused',
    async (source, conditions) => {
      expect(await why(update(source, conditions))).toBe('doubtful_update');
    },
  );

  it('goes on unsplit with a parameter that Weir does not know, and looks at no other kind of operation', async () => {
    expect(await why(update('{"doc":{}}'), ['batch_size'])).toBe('unknown_parameter');
    expect(await why({ ...update('not json'), kind: 'index' })).toBeUndefined();
  });
});
