import { describe, expect, it } from '@jest/globals';
import { WeirError } from '@weir/shared';
import fc from 'fast-check';
import type { BulkAction, BulkDefaults } from './bulk-action.ts';
import { BulkParser } from './parse-bulk.ts';

const NO_SOURCE = { wanted: false, includes: [], excludes: [] };
const NONE: BulkDefaults = {
  index: undefined,
  routing: undefined,
  requireAlias: false,
  pipeline: undefined,
  fetchSource: NO_SOURCE,
};

function parse(body: string | Buffer, defaults: Partial<BulkDefaults> = {}, step = 1_000): BulkAction[] {
  const parser = new BulkParser(Buffer.from(body), { ...NONE, ...defaults });
  while (!parser.advance(step));
  return parser.actions;
}

function failure(body: string | Buffer, defaults: Partial<BulkDefaults> = { index: 'logs-a' }): WeirError {
  try {
    parse(body, defaults);
  } catch (thrown) {
    if (thrown instanceof WeirError) return thrown;
    throw thrown;
  }
  throw new Error('was accepted');
}

const seen = (action: BulkAction | undefined) => [
  action?.kind,
  action?.index,
  action?.id,
  action?.source.toString(),
];

describe('a bulk body', () => {
  it('G1: takes the index of the path where the action names none', () => {
    expect(parse('{"index":{"_id":"bar"}}\n{}\n', { index: 'foo' }).map(seen)).toEqual([
      ['index', 'foo', 'bar', '{}'],
    ]);
  });

  it("G2: takes require_alias from the request, and an item's own value over it", () => {
    const body =
      '{"index":{}}\n{}\n{"index":{"require_alias":false}}\n{}\n{"index":{"require_alias":"true"}}\n{}\n';
    expect(parse(body, { index: 'i', requireAlias: true }).map((action) => action.requireAlias)).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('G3: a delete is one line', () => {
    expect(
      parse('{"delete":{"_index":"a","_id":"1"}}\n{"index":{"_index":"a"}}\n{"x":1}\n').map(seen),
    ).toEqual([
      ['delete', 'a', '1', ''],
      ['index', 'a', undefined, '{"x":1}'],
    ]);
  });

  it('G5, C001: a body without a last line feed is refused, and curl users are told how', () => {
    const error = failure('{"index":{"_id":"1"}}\n{"m":"one"}\n{"index":{"_id":"2"}}\n{"m":"two"}');
    expect([error.status, error.type]).toEqual([400, 'illegal_argument_exception']);
    expect(error.message).toContain('must be terminated by a newline [\\n]');
  });

  it('G7: items share index, pipeline and routing of the request', () => {
    const actions = parse('{"index":{}}\n{}\n{"index":{}}\n{}\n', {
      index: 'i',
      pipeline: 'p',
      routing: 'r',
    });
    expect(actions.map(({ index, pipeline, routing }) => [index, pipeline, routing])).toEqual([
      ['i', 'p', 'r'],
      ['i', 'p', 'r'],
    ]);
  });

  it.each([
    ['G8', '[]\n{}\n', 'Malformed action/metadata line [1], expected START_OBJECT but found [START_ARRAY]'],
    ['G9', '{}\n{}\n', 'Malformed action/metadata line [1], expected FIELD_NAME but found [END_OBJECT]'],
    [
      'G14',
      '{"index":{}}\n{}\n{"index":[]}\n{}\n',
      'line [3], expected START_OBJECT but found [START_ARRAY]',
    ],
    [
      'an unknown action',
      '{"upsert":{}}\n{}\n',
      'expected one of [create, delete, index, update] but found [upsert]',
    ],
    ['null as action', '{"index":null}\n{}\n', 'expected START_OBJECT but found [VALUE_NULL]'],
    [
      'an unknown key',
      '{"index":{"parent":"x"}}\n{}\n',
      'line [1], it contains an unknown parameter [parent]',
    ],
    [
      'a nested value',
      '{"index":{"_id":{"a":1}}}\n{}\n',
      'expected a simple value for field [_id] but found [START_OBJECT]',
    ],
    [
      'a list',
      '{"index":{"_id":[1]}}\n{}\n',
      'expected a simple value for field [_id] but found [START_ARRAY]',
    ],
    [
      'no closing brace',
      '{"index":{"_id":"1"}\n{}\n',
      'line [1], expected END_OBJECT but found [END_OF_LINE]',
    ],
    ['a comma at the end', '{"index":{},\n{}\n', 'what follows the action object is not valid JSON'],
    ['something behind it', '{"index":{}} {"x":1}\n{}\n', 'expected END_OF_LINE but found [START_OBJECT]'],
    ['a key twice', '{"index":{"_id":"1","_id":"2"}}\n{}\n', 'duplicate key [_id]'],
    ['a key twice, once escaped', '{"index":{"_id":"1","\\u005fid":"2"}}\n{}\n', 'duplicate key [_id]'],
    ['the action twice', '{"index":{},"index":{}}\n{}\n', 'duplicate key [index]'],
    ['an ignored key twice', '{"index":{},"a":{"b":1,"b":2}}\n{}\n', 'duplicate key [b]'],
    ['a bad boolean', '{"index":{"require_alias":"x"}}\n{}\n', 'field [require_alias] is [x]'],
    [
      'a bad enum',
      '{"index":{"version_type":"foo"}}\n{}\n',
      'field [version_type] is [foo], allowed: [internal,',
    ],
    [
      'a bad op_type',
      '{"index":{"op_type":"foo"}}\n{}\n',
      "opType must be 'create' or 'index', found: [foo]",
    ],
    ['a fraction', '{"index":{"if_seq_no":1.5}}\n{}\n', 'field [if_seq_no] is [1.5], a whole number from 0'],
    ['a negative sequence number', '{"index":{"if_seq_no":-1}}\n{}\n', 'field [if_seq_no] is [-1]'],
    ['a broken token', '{"index":{"_id":tru}}\n{}\n', 'unrecognized token [tru]'],
    ['a number with a leading zero', '{"index":{"_id":01}}\n{}\n', 'unrecognized token [01]'],
    ['a raw control character', '{"index":{"_id":"a\tb"}}\n{}\n', 'control character 0x09 inside a string'],
    ['a broken escape', '{"index":{"_id":"a\\x"}}\n{}\n', 'holds an escape that JSON does not know'],
    ['a broken _source', '{"update":{"_id":"1","_source":{"a"}}}\n{}\n', 'field [_source] is not valid JSON'],
    [
      'an unknown key in _source',
      '{"update":{"_id":"1","_source":{"a":1}}}\n{}\n',
      'Failed to parse [_source]: {"a":1}',
    ],
    ['no document', '{"index":{"_id":"1"}}\n', 'line [1], the document of its [index] is missing'],
  ])('%s as action line is a 400 that names line and problem', (_name, body, message) => {
    const error = failure(body);
    expect([error.status, error.type]).toEqual([400, 'illegal_argument_exception']);
    expect(error.message).toContain(message);
  });

  it('bytes that are no UTF-8 in an action line are refused, never replaced', () => {
    const error = failure(
      Buffer.concat([Buffer.from('{"index":{"_id":"'), Buffer.from([0xe9]), Buffer.from('"}}\n{}\n')]),
    );
    expect(error.message).toContain('not valid UTF-8');
  });

  it('an action line of 65 kB is refused by its length, before it is read', () => {
    const error = failure(`{"index":{"_id":"${'a'.repeat(65_536)}"}}\n{}\n`);
    expect(error.message).toContain('it takes 65556 bytes, allowed are 65536');
  });

  it('G12: a carriage return before the line feed is no part of the document', () => {
    expect(parse('{"index":{"_id":"1"}}\r\n{"m":1}\r\n', { index: 'i' }).map(seen)).toEqual([
      ['index', 'i', '1', '{"m":1}'],
    ]);
  });

  it('C003: blank lines and lines of spaces between actions are skipped', () => {
    expect(parse('\n  \t\r\n{"index":{"_id":"1"}}\n{"m":"x"}\n\n', { index: 'i' }).map(seen)).toEqual([
      ['index', 'i', '1', '{"m":"x"}'],
    ]);
  });

  it('C003: spaces between an action and its document shift the pairing, which is noticed and names the line', () => {
    expect(failure('{"index":{"_id":"1"}}\n   \n{"m":"x"}\n').message).toContain(
      'line [3], expected one of [create, delete, index, update] but found [m]',
    );
  });

  it('C004: the tail of a document cut in two is no action, and nothing of the body is given out', () => {
    const pairs = '{"index":{}}\n{"m":"ok"}\n'.repeat(4);
    const error = failure(`${pairs}{"index":{}}\nh one"}\n{"m":"a","t":"b\n`);
    expect(error.message).toContain('line [11]');
  });

  it('C005: a key behind the action object is ignored and a null pipeline is none; a key before it is a 400', () => {
    const [action] = parse(
      '{"index":{"_index":"logs-2026.01.01","pipeline":null},"attempts":0}\n{"m":"x"}\n',
    );
    expect([action?.index, action?.pipeline]).toEqual(['logs-2026.01.01', undefined]);
    expect(failure('{"abc":true,"index":{"_index":"logs-a"}}\n{"m":"x"}\n').message).toContain('line [1]');
  });

  it('C007: a delete without an id refuses the whole body and names the item', () => {
    const error = failure('{"index":{}}\n{"m":"x"}\n{"delete":{}}\n');
    expect([error.status, error.type]).toEqual([400, 'action_request_validation_exception']);
    expect(error.message).toBe('Validation Failed: 1: id is missing (item [2], line [3]);');
  });

  it.each(['{"script":{"source":"x"},"doc":{"m":"y"}}', '{"doc":{"m":"y"},"script":{"source":"x"}}'])(
    'C009: an update with script and doc is a 400, whatever their order: %s',
    (update) => {
      const error = failure(`{"update":{"_id":"1"}}\n${update}\n`);
      expect(error.message).toContain("can't provide both script and doc");
    },
  );

  it('C036: an item without an index anywhere refuses the whole body', () => {
    expect(failure('{"index":{"_id":"2"}}\n{}\n', {})).toMatchObject({
      code: 'validation',
      message: 'Validation Failed: 1: index is missing (item [1], line [1]);',
    });
  });

  it.each([
    ['{"update":{"_id":"1","version":3}}\n{"doc":{}}\n', 'Update requests do not support versioning'],
    [`{"index":{"_id":"${'é'.repeat(257)}"}}\n{}\n`, 'no longer than 512 bytes but was: 514'],
    ['{"delete":{"_id":""}}\n', 'id is missing'],
    ['{"index":{"_id":"1","version":3}}\n{}\n', 'internal versioning can not be used'],
    ['{"index":{"_id":"1","version_type":"external"}}\n{}\n', 'illegal version value [none] for'],
    ['{"index":{"version":3,"version_type":"external"}}\n{}\n', 'an id must be provided if version'],
    ['{"index":{"_id":"1","if_seq_no":1}}\n{}\n', 'ifSeqNo is set, but primary term is [0]'],
    ['{"index":{"_id":"1","if_primary_term":1}}\n{}\n', 'ifSeqNo is unassigned, but primary term is [1]'],
    ['{"create":{"_id":"1","if_seq_no":1,"if_primary_term":1}}\n{}\n', 'do not support compare and set'],
    ['{"create":{"_id":"1","version":1}}\n{}\n', 'do not support explicit versions'],
    [
      '{"create":{"_id":"1","version":1,"version_type":"external"}}\n{}\n',
      'only support internal versioning',
    ],
    ['\n', 'no requests added'],
  ])('%j is a validation error of the whole body', (body, problem) => {
    const error = failure(body);
    expect([error.status, error.type]).toEqual([400, 'action_request_validation_exception']);
    expect(error.message).toContain(problem);
  });

  it('names twenty problems and counts the others', () => {
    const error = failure('{"delete":{}}\n'.repeat(1_000));
    expect(error.message).toContain('20: id is missing (item [20], line [20]); and 980 more of this kind');
  });

  it('an empty body is told that it has to have one', () => {
    expect(failure('')).toMatchObject({ code: 'parse', message: 'request body is required' });
  });

  it('C013: gzip without its header is a 400 that says so and shows none of the bytes', () => {
    const { message } = failure(Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0x0a]));
    expect(message).toBe('the body is gzip, but its header [Content-Encoding: gzip] is missing');
  });

  it('a byte order mark at the start is no part of the first line', () => {
    expect(parse('\uFEFF{"index":{"_id":"1"}}\n{}\n', { index: 'i' }).map(seen)).toEqual([
      ['index', 'i', '1', '{}'],
    ]);
  });

  it('C022, C023: documents are kept byte for byte, also those that are no good JSON', () => {
    const documents = [
      '{"big":9007199254740993,"f":1.0,"e":1E400,"b":2,"a":1}',
      '{"m":"tab\there"}',
      '{"time":1,"time":2}',
      '[1]',
      '',
    ];
    const body = documents.map((document) => `{"index":{}}\n${document}\n`).join('');
    expect(parse(body, { index: 'i' }).map((action) => action.source.toString())).toEqual(documents);
  });

  it('C036: a null index is an absent one', () => {
    const body = '{"index":{"_index":null,"_id":"1"}}\n{}\n{"index":{"_id":"2"}}\n{}\n';
    expect(parse(body, { index: 'logs-a' }).map((action) => action.index)).toEqual(['logs-a', 'logs-a']);
  });

  it('C128: numbers and booleans as ids are taken as they are written', () => {
    const ids = ['1', '1.0', '9007199254740993', 'true', '-5e3'];
    const body = ids.map((id) => `{"index":{"_id":${id}}}\n{}\n`).join('');
    expect(parse(body, { index: 'i' }).map((action) => action.id)).toEqual(ids);
  });

  it('takes _type, and white space wherever JSON allows it', () => {
    const body = '  { "index" : { "_type" : "logs" , "_index" : "a" , "routing" : 5 } }  \r\n{}\n';
    expect(parse(body).map((action) => [action.index, action.routing])).toEqual([['a', '5']]);
  });

  it('op_type turns an index action into a create', () => {
    expect(parse('{"index":{"_id":"1","op_type":"create"}}\n{}\n', { index: 'i' })[0]?.kind).toBe('create');
    expect(parse('{"create":{"_id":"1","op_type":"index"}}\n{}\n', { index: 'i' })[0]?.kind).toBe('create');
  });

  it('reads versions, sequence numbers and retries as numbers or as strings of numbers', () => {
    const body =
      '{"index":{"_id":"1","version":"7","version_type":"external_gte"}}\n{}\n{"update":{"_id":"1","if_seq_no":4,"if_primary_term":"2","retry_on_conflict":3}}\n{}\n';
    expect(parse(body, { index: 'i' }).map((action) => action.conditions)).toEqual([
      {
        ifSeqNo: undefined,
        ifPrimaryTerm: undefined,
        version: 7,
        versionType: 'external_gte',
        retryOnConflict: 0,
      },
      { ifSeqNo: 4, ifPrimaryTerm: 2, version: undefined, versionType: 'internal', retryOnConflict: 3 },
    ]);
  });

  it.each([
    ['true', { wanted: true, includes: [], excludes: [] }],
    ['"a.*"', { wanted: true, includes: ['a.*'], excludes: [] }],
    ['["a","b"]', { wanted: true, includes: ['a', 'b'], excludes: [] }],
    ['{"includes":["a","b"],"exclude":"c"}', { wanted: true, includes: ['a', 'b'], excludes: ['c'] }],
    ['false', NO_SOURCE],
    ['null', NO_SOURCE],
  ])('reads _source %s', (text, expected) => {
    expect(parse(`{"update":{"_id":"1","_source":${text}}}\n{}\n`, { index: 'i' })[0]?.fetchSource).toEqual(
      expected,
    );
  });

  it('unescapes ids, and keeps letters of all scripts', () => {
    const body = '{"index":{"_id":"a\\"\\u00e9"}}\n{}\n{"index":{"_id":"日本語😀"}}\n{}\n';
    expect(parse(body, { index: 'i' }).map((action) => action.id)).toEqual(['a"é', '日本語😀']);
  });

  it('lines that differ from the one before only in the id are read alike, also where ids are empty or of other kinds', () => {
    const ids = ['"a"', '"bb"', '""', '5', '"c\\n"', '"d"', 'null', '"é"', '"x"'];
    const body = ids.map((id) => `{"index":{"_index":"i","_id":${id},"routing":"r"}}\n{}\n`).join('');
    const actions = parse(body);
    expect(actions.map((action) => action.id)).toEqual(['a', 'bb', '', '5', 'c\n', 'd', undefined, 'é', 'x']);
    expect(actions.every((action) => action.index === 'i' && action.routing === 'r')).toBe(true);
  });

  it('gives the same in steps of any size', () => {
    const body = '{"index":{"_id":"1"}}\n{"a":1}\n{"delete":{"_id":"2"}}\n\n{"create":{}}\n{}\n';
    expect(parse(body, { index: 'i' }, 1)).toEqual(parse(body, { index: 'i' }));
  });
});

/** An action line whose members are of every kind, with what reading it must give. */
const line = fc
  .record({
    kind: fc.constantFrom('index', 'create', 'delete', 'update'),
    id: fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
    routing: fc.option(fc.string({ maxLength: 5 })),
  })
  .map(({ kind, id, routing }) => ({
    kind,
    id,
    routing,
    text: JSON.stringify({ [kind]: { _id: id, routing } }),
  }));

describe('any bulk body', () => {
  it('reads as JSON.parse of each action line would', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 30 }), (lines) => {
        const body = lines
          .map(({ kind, text }) => (kind === 'delete' ? `${text}\n` : `${text}\n{}\n`))
          .join('');
        const actions = parse(body, { index: 'i' });
        expect(actions.map(({ kind, id, routing }) => [kind, id, routing ?? null])).toEqual(
          lines.map(({ kind, id, routing }) => [kind, id, routing]),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('C003, C004: mutated in any way is read with its pairing intact or refused as a 4xx, and never ends otherwise', () => {
    const valid = Buffer.from(
      '{"index":{"_index":"logs-a","_id":"1"}}\n{"m":"one"}\n{"delete":{"_id":"2"}}\r\n\n{"update":{"_id":"é","retry_on_conflict":3,"_source":{"includes":["a"]}},"x":[1]}\n{"doc":{"a":1}}\n{"create":{"routing":"r"}}\n{"m":"\\u00e9"}\n',
    );
    const edit = fc.record({
      at: fc.nat(valid.length - 1),
      remove: fc.nat(3),
      insert: fc.oneof(
        fc.uint8Array({ maxLength: 3 }),
        fc.constantFrom('{', '}', '"', '\n', ',', ':', '\\').map((text) => Buffer.from(text)),
      ),
    });
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
        const body = edits.reduce(edited, valid);
        try {
          for (const action of parse(body, { index: 'logs-a' })) expectPaired(body, action);
        } catch (thrown) {
          if (!(thrown instanceof WeirError)) throw thrown;
          expect(thrown.status).toBe(400);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});

function edited(body: Buffer, edit: { at: number; remove: number; insert: Uint8Array }): Buffer {
  return Buffer.concat([body.subarray(0, edit.at), edit.insert, body.subarray(edit.at + edit.remove)]);
}

/** The document is the very line behind the action's, and that line is a JSON object with the action as its first key. */
function expectPaired(body: Buffer, action: BulkAction): void {
  const lines = splitLines(body);
  const text = lines[action.line - 1]?.toString().replace(/^\uFEFF/, '') ?? '';
  const [first] = Object.keys(JSON.parse(text));
  expect(['index', 'create'].includes(action.kind) ? ['index', 'create'] : [action.kind]).toContain(first);
  const document = action.kind === 'delete' ? Buffer.alloc(0) : lines[action.line];
  expect(action.source.toString('latin1')).toBe(document?.toString('latin1').replace(/\r$/, ''));
}

function splitLines(body: Buffer): Buffer[] {
  return body
    .toString('latin1')
    .split('\n')
    .map((text) => Buffer.from(text, 'latin1'));
}
