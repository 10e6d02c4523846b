// Clients as their users have them, unmodified, against real processes: the official ones, elasticdump and curl.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { limitZero } from '../support/limit-zero.ts';
import { type OfficialClient, officialClient, type Style } from '../support/official-client.ts';
import { ROOT } from '../support/repository.ts';
import { runNode, runToEnd } from '../support/run-to-end.ts';
import { type RunningCluster, startRunningCluster } from '../support/running-cluster.ts';

jest.setTimeout(120_000);

let cluster: RunningCluster;
let directory: string;
/** c1 answers as OpenSearch does, c2 passes for an Elasticsearch. */
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'weir-clients-'));
  cluster = await startRunningCluster({ coordinators: 2, envOf: { c2: { WEIR_ELASTIC_COMPAT: 'true' } } });
});
afterAll(async () => {
  await cluster.stop();
  rmSync(directory, { recursive: true, force: true });
});

const origin = (): string => cluster.service('c1').origin;
const countOf = async (index: string): Promise<unknown> => {
  await cluster.send('POST', `/${index}/_refresh`);
  return (await cluster.ask(`/${index}/_count`)).body['count'];
};

const CLIENTS: readonly (readonly [string, string, Style, string])[] = [
  ['@opensearch-project/opensearch 3.9.0', '@opensearch-project/opensearch', 'body', 'c1'],
  ['@elastic/elasticsearch 7.10.0', 'elasticsearch-7', 'body', 'c1'],
  ['@elastic/elasticsearch 9.4.3', 'elasticsearch-9', 'document', 'c2'],
];

describe.each(CLIENTS)('%s', (_name, packageName, style, coordinator) => {
  const index = `run-${packageName.replace(/\W+/g, '-')}`.replace('-@', '-');
  const documents = Array.from({ length: 2_000 }, (_, n) => ({
    id: `id-${n}`,
    n,
    text: `number ${n} — é😀`,
  }));
  let client: OfficialClient;
  beforeAll(() => {
    client = officialClient(packageName, style, cluster.service(coordinator).origin);
  });
  afterAll(() => client.close());

  it('indexes, bulks, searches and gets', async () => {
    expect(await client.index(index, 'one', { text: 'alone', n: -1 })).toMatchObject({ result: 'created' });
    const stats = await client.bulk(index, documents, { refreshOnCompletion: true });
    expect(stats).toMatchObject({ total: 2_000, successful: 2_000, failed: 0 });
    expect(await client.search(index, { match: { text: 'alone' } })).toMatchObject({
      hits: { total: { value: 1 }, hits: [{ _id: 'one', _source: { text: 'alone', n: -1 } }] },
    });
    expect(await client.get(index, 'id-1999')).toMatchObject({
      found: true,
      _source: { id: 'id-1999', n: 1999, text: 'number 1999 — é😀' },
    });
    expect(await countOf(index)).toBe(2_001);
  });

  it('C042: ends with every document stored although the cluster refused it for a while', async () => {
    const dropped: unknown[] = [];
    await cluster.send('PUT', '/_cluster/settings', { transient: limitZero('cpu') });
    await eventually(async () => (await cluster.send('PUT', `/${index}/_doc/one`, {})).status === 429);
    const before = await refusedOperations(coordinator);
    const run = client.bulk(`${index}-late`, documents.slice(0, 400), {
      ...{ wait: 300, retries: 50, onDrop: (drop: unknown) => dropped.push(drop) },
    });
    // Each of the 400 refused at least twice.
    await eventually(async () => (await refusedOperations(coordinator)) - before >= 800, 30_000);
    await cluster.send('PUT', '/_cluster/settings', { transient: { 'weir.*': null } });
    const stats = await run;
    expect(stats).toMatchObject({ total: 400, successful: 400, failed: 0 });
    expect(stats.retry).toBeGreaterThanOrEqual(800);
    expect(dropped).toEqual([]);
    expect(await countOf(`${index}-late`)).toBe(400);
  });
});

/** Operations this coordinator has refused since its start. */
async function refusedOperations(coordinator: string): Promise<number> {
  const { text } = await cluster.at(coordinator).ask('/metrics');
  const counts = [...text.matchAll(/^weir_refused_operations_total\{role="[^"]*",reason="[^"]*"\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

describe('elasticdump 6.125.1', () => {
  it('loads a file; all of it is counted and found', async () => {
    const lines = Array.from({ length: 5_000 }, (_, n) =>
      JSON.stringify({ _index: 'dumped', _id: `d${n}`, _source: { n, word: n % 2 === 0 ? 'even' : 'odd' } }),
    );
    const input = join(directory, 'dump.json');
    writeFileSync(input, `${lines.join('\n')}\n`);
    const bin = createRequire(join(ROOT, 'package.json')).resolve('elasticdump/bin/elasticdump');
    const to = `--output=${origin()}/dumped`;
    const { ended, stdout } = await runNode([bin, `--input=${input}`, to, '--type=data', '--limit=1000']);
    expect([ended, stdout]).toEqual([0, expect.stringContaining('dump complete')]);
    expect(await countOf('dumped')).toBe(5_000);
    expect((await cluster.ask('/dumped/_count?q=word:odd')).body['count']).toBe(2_500);
    expect((await cluster.ask('/dumped/_source/d4999')).text).toBe('{"n":4999,"word":"odd"}');
  });
});

describe('curl', () => {
  const NDJSON = ['-H', 'content-type: application/x-ndjson'];
  const pairs = (count: number): string =>
    Array.from(
      { length: count },
      (_, n) => `{"index":{"_id":"${n}"}}\n{"n":${n},"pad":"${'x'.repeat(400)}"}\n`,
    ).join('');
  const curl = (args: readonly string[], input = '') =>
    runToEnd(['curl', '-sS', '--max-time', '60', ...args], { input });

  it('-T sends a file with PUT', async () => {
    const file = join(directory, 'bulk.ndjson');
    writeFileSync(file, pairs(100));
    const { stdout } = await curl([...NDJSON, '-T', file, `${origin()}/curl-file/_bulk`]);
    expect(JSON.parse(stdout)).toMatchObject({ errors: false });
    expect(await countOf('curl-file')).toBe(100);
  });

  it('--data-binary sends a file as it is, -d strips its line feeds and is told so', async () => {
    const file = join(directory, 'bulk.ndjson');
    writeFileSync(file, pairs(100));
    const whole = await curl([...NDJSON, '--data-binary', `@${file}`, `${origin()}/curl-binary/_bulk`]);
    expect(JSON.parse(whole.stdout)).toMatchObject({ errors: false });
    expect(await countOf('curl-binary')).toBe(100);
    const stripped = await curl(['-d', `@${file}`, `${origin()}/curl-stripped/_bulk`]);
    expect(JSON.parse(stripped.stdout)).toMatchObject({
      status: 400,
      error: { type: 'illegal_argument_exception', reason: expect.stringContaining('newline') },
    });
    expect((await cluster.ask('/curl-stripped', { method: 'HEAD' })).status).toBe(404);
  });

  it('sends in chunks what it reads from a pipe', async () => {
    const target = `${origin()}/curl-chunks/_bulk`;
    const { stdout, stderr } = await curl(['-v', ...NDJSON, '-T', '-', target], pairs(3_000));
    expect(stderr).toContain('> Transfer-Encoding: chunked');
    expect(JSON.parse(stdout)).toMatchObject({ errors: false });
    expect(await countOf('curl-chunks')).toBe(3_000);
  });

  it('C025: asks leave for a body over 1 MB, has it at once, and is told before it sends one that is too large', async () => {
    const { stdout, stderr } = await curl(
      ['-v', ...NDJSON, '--data-binary', '@-', `${origin()}/curl-large/_bulk`],
      pairs(4_000),
    );
    expect(stderr).toContain('> Expect: 100-continue');
    expect(stderr).toContain('< HTTP/1.1 100 Continue');
    expect(JSON.parse(stdout)).toMatchObject({ errors: false });
    expect(await countOf('curl-large')).toBe(4_000);

    await cluster.send('PUT', '/_cluster/settings', { transient: { 'weir.bulk.max_body': '1mb' } });
    try {
      const refused = await curl(
        ['-v', ...NDJSON, '--data-binary', '@-', `${origin()}/curl-too-large/_bulk`],
        pairs(4_000),
      );
      expect(refused.stderr).not.toContain('100 Continue');
      expect(JSON.parse(refused.stdout)).toMatchObject({ status: 413, error: { limit_bytes: 1_048_576 } });
    } finally {
      await cluster.send('PUT', '/_cluster/settings', { transient: { 'weir.*': null } });
    }
  });
});
