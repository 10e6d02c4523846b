// How fast is a bulk of 500 documents of 1 KB split and grouped by shard, against parsing all of it, and against only finding its line ends?
// Method: the three ways take turns on the same body in one process, so that whatever else the machine does falls on all of them; medians of
// 300 rounds after a warm-up. Parsing all is `toString().split('\n')` with JSON.parse of every line and no grouping; splitting reads the action
// lines, keeps the documents' bytes, hashes ids and groups the operations over 5 shards. `--json` prints one object as the last line, of the
// log documents with ids; the other bodies show what it depends on.
import { parseArgs } from 'node:util';
import { AutoIds, type BulkDependencies, BulkParser, OperationRouter } from '@weir/coordinator';
import { defaultRoutingNumShards, type IndexMetadata, systemClock, systemRng } from '@weir/shared';
import { median, printJson, printTable, rounded } from './support/figures.ts';

const { values: flags } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
const DOCUMENTS = 500;
const SHARDS = 5;
const ROUNDS = 300;
const WARM_UP_ROUNDS = 100;
const LINE_FEED = 0x0a;

const metadata: IndexMetadata = {
  name: 'logs-a',
  uuid: 'u',
  created_wall_ms: 0,
  number_of_shards: SHARDS,
  number_of_replicas: 0,
  routing_num_shards: defaultRoutingNumShards(SHARDS),
  routing_partition_size: 1,
  settings: {},
  mappings: {},
  shards: Array.from({ length: SHARDS }, () => ({ primary_term: 1, primary: null, replicas: [], lost: [] })),
};
const ports: Pick<BulkDependencies, 'topology' | 'yieldToLoop'> = {
  topology: {
    resolve: ({ routing }) => ({ kind: 'index', metadata, routing, throughAlias: false }),
    index: () => metadata,
    indices: () => [metadata],
    ensureIndex: () => Promise.resolve(metadata),
    node: () => undefined,
    nodes: () => [],
    refreshSoon: () => undefined,
  },
  yieldToLoop: () => Promise.resolve(),
};
const defaults = {
  index: 'logs-a',
  routing: undefined,
  requireAlias: false,
  pipeline: undefined,
  fetchSource: { wanted: false, includes: [], excludes: [] },
};
const autoIds = new AutoIds(systemClock, systemRng);

/** A web server's log line with nested fields, numbers and a list, filled up to 1 KB. */
function logDocument(number: number): string {
  const base = {
    '@timestamp': '2026-01-01T00:00:00.000Z',
    level: 'info',
    host: { name: `web-${number % 20}.example.org`, ip: '203.0.113.7' },
    http: {
      method: 'GET',
      path: `/shop/item/${number}`,
      query: 'page=3&sort=price',
      status: 200,
      bytes: 18_234,
    },
    client: { ip: '198.51.100.23', port: 51_234, agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0' },
    geo: { country: 'DE', lat: 48.137, lon: 11.575 },
    tags: ['shop', 'item', 'cache-miss'],
    duration_ms: 35.25,
    trace: { id: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7', sampled: true },
    labels: { env: 'prod', team: 'storefront', region: 'eu-west-1', zone: 'b' },
    user: { id: number, plan: 'gold', since: '2021-05-06' },
  };
  const filled = { ...base, message: '' };
  const missing = 1_024 - JSON.stringify(filled).length;
  return JSON.stringify({ ...filled, message: 'request served from origin '.repeat(40).slice(0, missing) });
}

/** One long text: the cheapest kilobyte there is for a JSON parser. */
function textDocument(): string {
  return JSON.stringify({ message: 'x'.repeat(1_024 - '{"message":""}'.length) });
}

function bodyOf(action: (number: number) => string, document: (number: number) => string): Buffer {
  const lines = Array.from({ length: DOCUMENTS }, (_, number) => `${action(number)}\n${document(number)}\n`);
  return Buffer.from(lines.join(''));
}

const BODIES = {
  'log documents, ids': bodyOf(
    (number) => `{"index":{"_index":"logs-a","_id":"doc-${number}"}}`,
    logDocument,
  ),
  'log documents, no ids': bodyOf(() => '{"index":{}}', logDocument),
  'log documents, ids and routing': bodyOf(
    (number) => `{"index":{"_id":"doc-${number}","routing":"r${number % 7}"}}`,
    logDocument,
  ),
  'one long text, ids': bodyOf(
    (number) => `{"index":{"_index":"logs-a","_id":"doc-${number}"}}`,
    textDocument,
  ),
};

async function split(body: Buffer): Promise<number> {
  const parser = new BulkParser(body, defaults);
  parser.advance(Number.POSITIVE_INFINITY);
  const { groups } = await new OperationRouter(ports, autoIds).route(parser.actions);
  return groups.length;
}

function parseAll(body: Buffer): number {
  const parsed: unknown[] = [];
  for (const line of body.toString().split('\n')) if (line !== '') parsed.push(JSON.parse(line));
  return parsed.length;
}

function scan(body: Buffer): number {
  let lines = 0;
  for (let at = body.indexOf(LINE_FEED); at >= 0; at = body.indexOf(LINE_FEED, at + 1)) lines += 1;
  return lines;
}

async function timeMs(run: () => unknown): Promise<number> {
  const startMs = systemClock.nowMs();
  await run();
  return systemClock.nowMs() - startMs;
}

async function measure(body: Buffer) {
  const times = { split: [] as number[], parse: [] as number[], scan: [] as number[] };
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    const one = {
      split: await timeMs(() => split(body)),
      parse: await timeMs(() => parseAll(body)),
      scan: await timeMs(() => scan(body)),
    };
    if (round < 0) continue;
    times.split.push(one.split);
    times.parse.push(one.parse);
    times.scan.push(one.scan);
  }
  const [splitMs, parseMs, scanMs] = [median(times.split), median(times.parse), median(times.scan)];
  return { splitMs, parseMs, ratio: parseMs / splitMs, scanShare: scanMs / splitMs };
}

const rows: Record<string, string | number>[] = [];
for (const [name, body] of Object.entries(BODIES)) {
  const { splitMs, parseMs, ratio, scanShare } = await measure(body);
  rows.push({
    body: name,
    'split, ms': rounded(splitMs, 3),
    'MB/s': rounded(body.length / splitMs / 1_000),
    'parse all, ms': rounded(parseMs, 3),
    ratio: rounded(ratio, 3),
    'scan / split': rounded(scanShare, 3),
  });
}
printTable(rows);
if (flags.json) {
  const [main = {}] = rows;
  printJson({
    ratio_to_parse_all: main['ratio'],
    scan_share: main['scan / split'],
    mb_per_s: main['MB/s'],
    split_ms: main['split, ms'],
  });
}
