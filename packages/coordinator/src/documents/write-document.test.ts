import { afterEach, describe, expect, it } from '@jest/globals';
import { DEFAULT_SETTINGS } from '@weir/shared/testing';
import { type DataPath, indexOn, startDataPath } from '../testing/data-path.ts';
import { calmStats, created, stressedStats } from '../testing/fake-data-nodes.ts';

let path: DataPath;
afterEach(() => path.stop(100));

const start = async (options: Parameters<typeof startDataPath>[0] = {}) => {
  path = await startDataPath({ indices: [indexOn('docs', ['dn1'])], ...options });
};
const operation = () => path.nodes.requests.at(-1)?.operations[0];

describe('a write of one document', () => {
  it.each([
    ['PUT', '/docs/_doc/1', 'index', '1'],
    ['POST', '/docs/_doc/1', 'index', '1'],
    ['PUT', '/docs/_create/1', 'create', '1'],
    ['POST', '/docs/_create/1', 'create', '1'],
    ['PUT', '/docs/_doc/1?op_type=create', 'create', '1'],
    ['POST', '/docs/_update/1', 'update', '1'],
    ['POST', '/docs/_doc/a%2Fb', 'index', 'a/b'],
  ])('%s %s is one %s', async (method, target, kind, id) => {
    await start();
    const { status } = await path.ask(method, target, '{"doc":{"a":1}}');
    expect(status).toBe(201);
    expect(operation()).toMatchObject({ kind, id, autoId: false });
    expect(operation()?.source.toString()).toBe('{"doc":{"a":1}}');
  });

  it('answers in the shape of OpenSearch, with the place of a new document', async () => {
    await start();
    const { text, headers } = await path.ask('PUT', '/docs/_doc/a%20b?routing=x%2Fy', '{}');
    expect(text).toBe(
      '{"_index":"docs","_id":"a b","_version":1,"result":"created","_shards":{"total":2,"successful":2,"failed":0},"_seq_no":0,"_primary_term":1}',
    );
    expect(headers.get('location')).toBe('/docs/_doc/a%20b?routing=x%2Fy');
  });

  it('makes an id where the path has none', async () => {
    await start();
    const { body } = await path.ask('POST', '/docs/_doc', '{}');
    expect(body).toMatchObject({ _id: operation()?.id, result: 'created' });
    expect(operation()).toMatchObject({ autoId: true });
  });

  it('deletes without a body; what is not there is a 404 with its result', async () => {
    await start();
    path.nodes.behave('dn1', (_request, node) => ({
      outcome: 'applied',
      results: [{ ...created(), ok: true, status: 404, result: 'not_found' } as never],
      stats: calmStats(node),
    }));
    const { status, body } = await path.ask('DELETE', '/docs/_doc/1');
    expect([status, body]).toMatchObject([404, { result: 'not_found', _id: '1' }]);
    expect(operation()).toMatchObject({ kind: 'delete', id: '1' });
  });

  it('passes on versions, sequence numbers, retries and what of the source is wanted', async () => {
    await start();
    await path.ask('PUT', '/docs/_doc/1?version=7&version_type=external', '{}');
    expect(operation()).toMatchObject({ version: 7, versionType: 'external' });
    await path.ask('PUT', '/docs/_doc/1?if_seq_no=4&if_primary_term=2', '{}');
    expect(operation()).toMatchObject({ ifSeqNo: 4, ifPrimaryTerm: 2 });
    path.nodes.behave('dn1', (_request, node) => ({
      outcome: 'applied',
      results: [{ ...created(), get: { found: true, _source: { a: 1, b: 2 } } } as never],
      stats: calmStats(node),
    }));
    const { body } = await path.ask(
      'POST',
      '/docs/_update/1?retry_on_conflict=3&_source_includes=b',
      '{"doc":{}}',
    );
    expect(operation()).toMatchObject({ retryOnConflict: 3, returnSource: true });
    expect(body).toMatchObject({ get: { found: true, _source: { b: 2 } } });
  });

  it('refused is a plain 429 with Retry-After and the facts', async () => {
    await start({
      settings: { admission: { ...DEFAULT_SETTINGS.admission, maxShedRatio: 1, corroborate: false } },
    });
    path.hear(stressedStats('dn1'));
    const { status, headers, body } = await path.ask('PUT', '/docs/_doc/1', '{}');
    expect([status, body]).toMatchObject([
      429,
      {
        status: 429,
        error: {
          type: 'rejected_execution_exception',
          root_cause: [{ type: 'rejected_execution_exception' }],
          weir: { reason: 'primary_stressed', node: 'dn1', decision_id: 'decision-1' },
        },
      },
    ]);
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
    expect(path.nodes.requests).toEqual([]);
  });

  it('failed shows the error of its operation as that of the request', async () => {
    await start();
    const error = {
      type: 'mapper_parsing_exception',
      reason: 'failed to parse',
      caused_by: { type: 'json_parse_exception', reason: 'x' },
    };
    path.nodes.behave('dn1', (_request, node) => ({
      outcome: 'applied',
      results: [{ ok: false, status: 400, error }],
      stats: calmStats(node),
    }));
    const { status, body } = await path.ask('PUT', '/docs/_doc/1', '[1]');
    expect(status).toBe(400);
    expect(body).toEqual({
      error: { root_cause: [{ type: error.type, reason: error.reason }], ...error },
      status: 400,
    });
  });

  it.each([
    ['PUT', '/Docs/_doc/1', '{}', 400, 'invalid_index_name_exception', 'must be lowercase'],
    ['PUT', '/docs/_doc/1', undefined, 400, 'parse_exception', 'request body is required'],
    [
      'PUT',
      '/docs/_doc/1?op_type=foo',
      '{}',
      400,
      'illegal_argument_exception',
      '[op_type], allowed: [index, create]',
    ],
    [
      'PUT',
      '/docs/_doc/1?foo=1',
      '{}',
      400,
      'illegal_argument_exception',
      'request [/docs/_doc/1] contains unrecognized parameter: [foo]',
    ],
    ['PUT', '/docs/_doc/1?version=x', '{}', 400, 'illegal_argument_exception', 'parameter [version]'],
    [
      'PUT',
      '/docs/_doc/1?version=3',
      '{}',
      400,
      'action_request_validation_exception',
      'internal versioning can not be used',
    ],
    ['PUT', '/docs/_doc/1?if_seq_no=3', '{}', 400, 'action_request_validation_exception', 'ifSeqNo is set'],
    [
      'PUT',
      `/docs/_doc/${'a'.repeat(513)}`,
      '{}',
      400,
      'action_request_validation_exception',
      'no longer than 512 bytes but was: 513',
    ],
    [
      'POST',
      '/docs/_update/1',
      '{"doc":{},"script":"x"}',
      400,
      'action_request_validation_exception',
      "can't provide both script and doc",
    ],
    ['PUT', '/docs/_doc/1?require_alias=true', '{}', 404, 'index_not_found_exception', 'is not an alias'],
    ['DELETE', '/nodocs/_doc/1', undefined, 404, 'index_not_found_exception', 'no such index [nodocs]'],
    ['PUT', '/docs/_doc', '{}', 405, 'method_not_allowed_exception', 'allowed: [POST]'],
  ])('%s %s with %s is a %i', async (method, target, body, status, type, reason) => {
    await start();
    const answer = await path.ask(method, target, body);
    expect([answer.status, answer.body]).toMatchObject([
      status,
      { status, error: { type, reason: expect.stringContaining(reason) } },
    ]);
    expect(path.nodes.requests).toEqual([]);
  });
});
