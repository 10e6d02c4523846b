// How many durable documents of 1 KB do one coordinator and two data nodes take in a second, in how much memory, and a real OpenSearch beside them?
// Method: real processes (Redis, coordinator, two data nodes; two OpenSearch nodes with a heap of 1 GB as it comes), one index of one shard and
// one replica, ids made by the server, several clients of which each sends its next bulk when the last was answered: every document that counts
// is synced to disk on both nodes (OpenSearch: `index.translog.durability` is `request`, its default). OpenSearch's clients send to the node
// that holds the primary, its best case. Clusters of their own for each size of bulk; both are warmed on an index that is deleted then, for
// minutes, since a young JVM does less than half. Their rounds take turns in one run; the median round counts, and the last rounds include
// feeding the text index, which a bulk load puts off until it owes 100,000 documents. At the end the documents found in the index are compared with those
// acknowledged; what admission refused, on a machine that others keep busy, is told and not counted. Memory is the peak of each process since
// its start (VmHWM), and the sum of Weir's own or of OpenSearch's. Where Java or Maven are missing OpenSearch is left out, and it is said.
// `--seconds n` per round (default 4), `--rounds n` (default 5), `--warm-up-s n` per side (default 120), `--profile DIR` keeps processor
// profiles of all services, `--json` prints one object as the last line.
import { parseArgs } from 'node:util';
import { openSearchSide, type Side, weirSide } from './ingest/sides.ts';
import { BulkClients } from './support/bulk-clients.ts';
import { median, printJson, printTable, rounded } from './support/figures.ts';
import { missingForOpenSearch } from './support/opensearch-processes.ts';
import { mustCall } from './support/rest.ts';

const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    'warm-up-s': { type: 'string', default: '120' },
    profile: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const ROUND_MS = Number(flags.seconds) * 1_000;
const WARM_UP_MS = Number(flags['warm-up-s']) * 1_000;
/** Before each round: the other side had the turn. */
const ROUND_WARM_UP_MS = 1_000;
const INDEX = 'logs-bench';
const WARM_UP_INDEX = 'logs-warm-up';
const LOADS = [
  { documentsPerBulk: 100, clients: 8 },
  { documentsPerBulk: 1_000, clients: 4 },
] as const;
type BulkSize = (typeof LOADS)[number];

class MeasuredSide {
  readonly load: BulkSize;
  readonly #side: Side;
  readonly #clients: BulkClients;
  readonly #rounds: number[] = [];
  #refused = 0;

  constructor(load: BulkSize, side: Side) {
    this.load = load;
    this.#side = side;
    this.#clients = new BulkClients({ ...load, origin: side.origin, index: INDEX });
  }

  async warmUp(): Promise<void> {
    const { origin } = this.#side;
    await this.#side.create(WARM_UP_INDEX);
    const clients = new BulkClients({ ...this.load, origin, index: WARM_UP_INDEX });
    await clients.run(WARM_UP_MS);
    await clients.close();
    await mustCall('DELETE', `${origin}/${WARM_UP_INDEX}`);
    await this.#side.create(INDEX);
  }

  async round(): Promise<void> {
    await this.#clients.run(ROUND_WARM_UP_MS);
    const { docsPerS, refused } = await this.#clients.run(ROUND_MS);
    this.#refused += refused;
    this.#rounds.push(docsPerS);
  }

  /** Ends the cluster after its documents were counted. */
  async finish() {
    const { label, prefix } = this.#side;
    const count = await this.#side.count(INDEX);
    if (count !== this.#clients.acknowledged)
      throw new Error(
        `${label}: ${this.#clients.acknowledged} documents were acknowledged, ${count} are there`,
      );
    const peaks = this.#side.peaks();
    await this.#clients.close();
    await this.#side.stop();
    return {
      ...{ ...this.load, label, prefix, peaks },
      docsPerS: rounded(median(this.#rounds)),
      lowest: rounded(Math.min(...this.#rounds)),
      highest: rounded(Math.max(...this.#rounds)),
      documents: count,
      refused: this.#refused,
      peakRssMb: Object.values(peaks).reduce((sum, mb) => sum + mb, 0),
    };
  }
}

async function measure(load: BulkSize, withOpenSearch: boolean) {
  const nodeFlags =
    flags.profile === undefined
      ? []
      : ['--cpu-prof', `--cpu-prof-dir=${flags.profile}/bulk-${load.documentsPerBulk}`];
  const started = [await weirSide(nodeFlags), ...(withOpenSearch ? [await openSearchSide()] : [])];
  const sides = started.map((side) => new MeasuredSide(load, side));
  for (const side of sides) await side.warmUp();
  for (let round = 0; round < Number(flags.rounds); round++) for (const side of sides) await side.round();
  const measured = [];
  for (const side of sides) measured.push(await side.finish());
  return measured;
}

async function main(): Promise<void> {
  const missing = missingForOpenSearch();
  if (missing.length > 0)
    process.stdout.write(
      `OpenSearch is left out: ${missing.join(', ')} not found (it needs a JDK 17 or newer and Maven)\n\n`,
    );
  const measured = [];
  for (const load of LOADS) measured.push(...(await measure(load, missing.length === 0)));
  printTable(
    measured.map(
      ({
        label,
        documentsPerBulk,
        clients,
        docsPerS,
        lowest,
        highest,
        documents,
        refused,
        peaks,
        peakRssMb: mb,
      }) => ({
        engine: label,
        'docs per bulk': documentsPerBulk,
        clients,
        'docs/s': docsPerS,
        'lowest and highest round': `${lowest} ${highest}`,
        'docs stored': documents,
        'docs refused': refused,
        'peak MB': mb,
        'of each process': Object.entries(peaks)
          .map(([name, peak]) => `${name} ${peak}`)
          .join(', '),
      }),
    ),
  );
  if (!flags.json) return;
  printJson(
    Object.fromEntries(
      measured.map(({ prefix, documentsPerBulk, docsPerS, lowest, highest, peaks, peakRssMb: mb }) => [
        `${prefix}bulk_${documentsPerBulk}`,
        {
          docs_per_s: docsPerS,
          docs_per_s_lowest: lowest,
          docs_per_s_highest: highest,
          peak_rss_mb: mb,
          peak_rss_mb_by_process: peaks,
        },
      ]),
    ),
  );
}

await main();
