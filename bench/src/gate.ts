// What do gate and guard cost a cluster that is calm: documents a second with admission enforced ÷ with admission disabled?
// Method: real processes (Redis, coordinator, two data nodes), one index of one shard and one replica, bulks of 100 documents of 1 KB from a few
// clients. Short rounds take turns in one run; between two of them `weir.admission.mode` is changed over HTTP and time is left until every node
// has applied it. Each pair of neighbouring rounds gives one ratio, and which of the two comes first changes from pair to pair, so that
// neither a growing index nor whatever else the machine does favours one. The median of the ratios counts; its interval of 95 % comes from
// resampling them. Beside it stands the same ratio of documents per second of processor time that coordinator and data nodes used: what others
// take of the processors does not show in it. A pair in which anything was refused is left out and told: then the cluster was not calm.
// `--seconds n` per round (default 1), `--pairs n` (default 60), `--json` prints one object as the last line.
import { parseArgs } from 'node:util';
import { delay, systemTimers } from '@weir/shared';
import { BulkClients } from './support/bulk-clients.ts';
import { median, medianInterval, printJson, printTable, quantile, rounded } from './support/figures.ts';
import { cpuMs } from './support/process-usage.ts';
import { mustCall, putSettings } from './support/rest.ts';
import { startWeir, type WeirProcesses } from './support/weir-processes.ts';

const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '1' },
    pairs: { type: 'string', default: '60' },
    json: { type: 'boolean', default: false },
  },
});
const ROUND_MS = Number(flags.seconds) * 1_000;
const WARM_UP_MS = 5_000;
/** Settings are applied within 200 ms everywhere. */
const APPLIED_MS = 300;
const INDEX = 'logs-bench';
const LOAD = { documentsPerBulk: 100, clients: 4 };

type Mode = 'enforced' | 'disabled';
type Round = { readonly docsPerS: number; readonly docsPerCpuS: number; readonly refused: number };

async function main(): Promise<void> {
  const weir = await startWeir({ dataNodes: 2 });
  const settings = { index: { number_of_shards: 1, number_of_replicas: 1 } };
  await mustCall('PUT', `${weir.origin}/${INDEX}`, { settings });
  const clients = new BulkClients({ ...LOAD, origin: weir.origin, index: INDEX });
  const rounds: Record<Mode, Round[]> = { enforced: [], disabled: [] };
  await clients.run(WARM_UP_MS);
  for (let pair = 0; pair < Number(flags.pairs); pair++) {
    const measured: Partial<Record<Mode, Round>> = {};
    for (const mode of orderOf(pair)) measured[mode] = await round(mode, weir, clients);
    const { enforced, disabled } = measured;
    if (enforced === undefined || disabled === undefined || enforced.refused > 0) continue;
    rounds.enforced.push(enforced);
    rounds.disabled.push(disabled);
  }
  await clients.close();
  await weir.stop();
  report(rounds);
}

async function round(mode: Mode, weir: WeirProcesses, clients: BulkClients): Promise<Round> {
  await putSettings(weir.origin, { 'weir.admission.mode': mode });
  await delay(systemTimers, APPLIED_MS);
  const usedMs = (): number =>
    [weir.coordinator, ...weir.dataNodes].reduce((sum, { pid }) => sum + cpuMs(pid), 0);
  const beforeMs = usedMs();
  const { docsPerS, documents, refused } = await clients.run(ROUND_MS);
  return { docsPerS, docsPerCpuS: (documents / (usedMs() - beforeMs)) * 1_000, refused };
}

function orderOf(pair: number): readonly Mode[] {
  return pair % 2 === 0 ? ['enforced', 'disabled'] : ['disabled', 'enforced'];
}

function report({ enforced, disabled }: Readonly<Record<Mode, readonly Round[]>>): void {
  const perS = ratioOf(enforced, disabled, ({ docsPerS }) => docsPerS);
  const perCpu = ratioOf(enforced, disabled, ({ docsPerCpuS }) => docsPerCpuS);
  const figures = {
    ratio: perS.ratio,
    ratio_low: perS.low,
    ratio_high: perS.high,
    ratio_quartiles: perS.quartiles,
    ratio_per_cpu: perCpu.ratio,
    ratio_per_cpu_low: perCpu.low,
    ratio_per_cpu_high: perCpu.high,
    pairs: enforced.length,
    pairs_not_calm: Number(flags.pairs) - enforced.length,
    docs_per_s_enforced: perS.enforced,
    docs_per_s_disabled: perS.disabled,
  };
  printTable(
    Object.entries({ 'docs/s': perS, 'docs per processor second': perCpu }).map(([name, measured]) => ({
      medians: name,
      enforced: measured.enforced,
      disabled: measured.disabled,
      'enforced ÷ disabled': measured.ratio,
      'interval of 95 %': `${measured.low} to ${measured.high}`,
      quartiles: measured.quartiles.join(' and '),
    })),
  );
  process.stdout.write(`\n${figures.pairs} pairs, ${figures.pairs_not_calm} more were not calm\n`);
  if (flags.json) printJson(figures);
}

function ratioOf(enforced: readonly Round[], disabled: readonly Round[], figureOf: (round: Round) => number) {
  const [over, under] = [enforced.map(figureOf), disabled.map(figureOf)];
  const ratios = over.map((figure, pair) => figure / (under[pair] ?? Number.NaN));
  const { low, high } = medianInterval(ratios);
  return {
    enforced: rounded(median(over)),
    disabled: rounded(median(under)),
    ratio: rounded(median(ratios), 4),
    low: rounded(low, 4),
    high: rounded(high, 4),
    quartiles: [rounded(quantile(ratios, 0.25), 4), rounded(quantile(ratios, 0.75), 4)],
  };
}

await main();
