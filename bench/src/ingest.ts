// How many durable documents of 1 KB does a cluster of one coordinator and two data nodes take in a second, and in how much memory?
// Method: real processes (Redis, coordinator, two data nodes), one index of one shard and one replica, ids made by Weir, several clients of
// which each sends its next bulk when the last was answered: every document that counts is synced to disk on both nodes. A cluster of its own for
// each size of bulk; the median round counts, and the last rounds include feeding the text index, which a bulk load puts off until it owes
// 100,000 documents. At the end the documents found in the index are compared with those acknowledged; what admission refused, on a machine
// that others keep busy, is told and not counted. Memory is the peak of each process since its start (VmHWM), and the sum of Weir's own.
// `--seconds n` per round (default 4), `--rounds n` (default 5), `--profile DIR` keeps processor profiles of all services, `--json` prints one
// object as the last line.
import { parseArgs } from 'node:util';
import { BulkClients } from './support/bulk-clients.ts';
import { median, printJson, printTable, rounded } from './support/figures.ts';
import { peakRssMb } from './support/process-usage.ts';
import { mustCall } from './support/rest.ts';
import { startWeir, type WeirProcesses } from './support/weir-processes.ts';

const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    profile: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const ROUND_MS = Number(flags.seconds) * 1_000;
const WARM_UP_MS = 1_000;
const INDEX = 'logs-bench';
const LOADS = [
  { documentsPerBulk: 100, clients: 8 },
  { documentsPerBulk: 1_000, clients: 4 },
] as const;

class MeasuredCluster {
  readonly load: (typeof LOADS)[number];
  readonly #weir: WeirProcesses;
  readonly #clients: BulkClients;
  readonly rounds: number[] = [];
  #refused = 0;

  constructor(load: (typeof LOADS)[number], weir: WeirProcesses) {
    this.load = load;
    this.#weir = weir;
    this.#clients = new BulkClients({ ...load, origin: weir.origin, index: INDEX });
  }

  async round(): Promise<void> {
    await this.#clients.run(WARM_UP_MS);
    const { docsPerS, refused } = await this.#clients.run(ROUND_MS);
    this.#refused += refused;
    this.rounds.push(docsPerS);
  }

  /** Ends the cluster after its documents were counted. */
  async finish() {
    const { origin, coordinator, dataNodes } = this.#weir;
    const { count } = await mustCall('GET', `${origin}/${INDEX}/_count`);
    if (count !== this.#clients.acknowledged)
      throw new Error(`${this.#clients.acknowledged} documents were acknowledged, ${count} are there`);
    const peaks = Object.fromEntries(
      [coordinator, ...dataNodes].map(({ name, pid }) => [name, peakRssMb(pid)]),
    );
    await this.#clients.close();
    await this.#weir.stop();
    return {
      docsPerS: rounded(median(this.rounds)),
      lowest: rounded(Math.min(...this.rounds)),
      highest: rounded(Math.max(...this.rounds)),
      documents: Number(count),
      refused: this.#refused,
      peaks,
      peakRssMb: Object.values(peaks).reduce((sum, mb) => sum + mb, 0),
    };
  }
}

async function start(load: (typeof LOADS)[number]): Promise<MeasuredCluster> {
  const nodeFlags =
    flags.profile === undefined
      ? []
      : ['--cpu-prof', `--cpu-prof-dir=${flags.profile}/bulk-${load.documentsPerBulk}`];
  const weir = await startWeir({ dataNodes: 2, nodeFlags });
  const settings = { index: { number_of_shards: 1, number_of_replicas: 1 } };
  await mustCall('PUT', `${weir.origin}/${INDEX}`, { settings });
  return new MeasuredCluster(load, weir);
}

async function measure(load: (typeof LOADS)[number]) {
  const cluster = await start(load);
  for (let round = 0; round < Number(flags.rounds); round++) await cluster.round();
  return { ...load, ...(await cluster.finish()) };
}

async function main(): Promise<void> {
  const measured = [];
  for (const load of LOADS) measured.push(await measure(load));
  printTable(
    measured.map(
      ({
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
      measured.map(({ documentsPerBulk, docsPerS, lowest, highest, peaks, peakRssMb: mb }) => [
        `bulk_${documentsPerBulk}`,
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
