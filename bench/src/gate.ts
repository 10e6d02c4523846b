// What do gate and guard cost a cluster that is calm: documents a second with admission enforced ÷ with admission disabled?
// Method: real processes (Redis, coordinator, two data nodes), one index of one shard and one replica, bulks of 100 documents of 1 KB from a few
// clients. Short rounds take turns in one run; between two of them `weir.admission.mode` is changed over HTTP and time is left until every node
// has applied it. Four rounds in a row, two of each, give one ratio. Their order is drawn by chance from a fixed seed: the text index and the
// checkpoints work in beats of a few rounds, and in a regular order such a beat could fall on one mode. The median of the ratios counts; its
// interval of 95 % comes from resampling them. Beside it stands the same ratio of documents per second of processor time that coordinator and
// data nodes used: what others take of the processors shows less in it. Four in which anything was refused are left out and told: then the
// cluster was not calm.
// `--seconds n` per round (default 2), `--ratios n` (default 32), `--json` prints one object as the last line.
import { parseArgs } from 'node:util';
import { delay, type Rng, systemTimers } from '@weir/shared';
import { seededRng } from '@weir/shared/testing';
import { BulkClients } from './support/bulk-clients.ts';
import { median, medianInterval, printJson, printTable, quantile, rounded } from './support/figures.ts';
import { cpuMs } from './support/process-usage.ts';
import { mustCall, putSettings } from './support/rest.ts';
import { startWeir, type WeirProcesses } from './support/weir-processes.ts';

const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '2' },
    ratios: { type: 'string', default: '32' },
    json: { type: 'boolean', default: false },
  },
});
const ROUND_MS = Number(flags.seconds) * 1_000;
const WARM_UP_MS = 5_000;
/** Settings are applied within 200 ms everywhere. */
const APPLIED_MS = 300;
const INDEX = 'logs-bench';
const SEED = 1;
const LOAD = { documentsPerBulk: 100, clients: 4 };

type Mode = 'enforced' | 'disabled';
type Round = {
  readonly documents: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly refused: number;
};
/** Two rounds of each mode. */
type Four = Readonly<Record<Mode, readonly Round[]>>;

async function main(): Promise<void> {
  const weir = await startWeir({ dataNodes: 2 });
  const settings = { index: { number_of_shards: 1, number_of_replicas: 1 } };
  await mustCall('PUT', `${weir.origin}/${INDEX}`, { settings });
  const clients = new BulkClients({ ...LOAD, origin: weir.origin, index: INDEX });
  const fours: Four[] = [];
  const chance = seededRng(SEED);
  await clients.run(WARM_UP_MS);
  for (let number = 0; number < Number(flags.ratios); number++) {
    const four: Record<Mode, Round[]> = { enforced: [], disabled: [] };
    for (const mode of orderByChance(chance)) four[mode].push(await round(mode, weir, clients));
    if (four.enforced.every(({ refused }) => refused === 0)) fours.push(four);
  }
  await clients.close();
  await weir.stop();
  report(fours);
}

/** Two rounds of each mode in one of the six orders there are. */
function orderByChance(chance: Rng): readonly Mode[] {
  const order: Mode[] = [];
  const left: Record<Mode, number> = { enforced: 2, disabled: 2 };
  while (left.enforced + left.disabled > 0) {
    const mode = chance.next() * (left.enforced + left.disabled) < left.enforced ? 'enforced' : 'disabled';
    left[mode] -= 1;
    order.push(mode);
  }
  return order;
}

async function round(mode: Mode, weir: WeirProcesses, clients: BulkClients): Promise<Round> {
  await putSettings(weir.origin, { 'weir.admission.mode': mode });
  await delay(systemTimers, APPLIED_MS);
  const usedMs = (): number =>
    [weir.coordinator, ...weir.dataNodes].reduce((sum, { pid }) => sum + cpuMs(pid), 0);
  const beforeMs = usedMs();
  const { docsPerS, documents, refused } = await clients.run(ROUND_MS);
  return { documents, seconds: documents / docsPerS, cpuSeconds: (usedMs() - beforeMs) / 1_000, refused };
}

function report(fours: readonly Four[]): void {
  const perS = ratiosOf(fours, ({ seconds }) => seconds);
  const perCpu = ratiosOf(fours, ({ cpuSeconds }) => cpuSeconds);
  const figures = {
    ratio: perS.ratio,
    ratio_low: perS.low,
    ratio_high: perS.high,
    ratio_quartiles: perS.quartiles,
    ratio_per_cpu: perCpu.ratio,
    ratio_per_cpu_low: perCpu.low,
    ratio_per_cpu_high: perCpu.high,
    ratios: fours.length,
    ratios_not_calm: Number(flags.ratios) - fours.length,
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
  process.stdout.write(`\n${figures.ratios} ratios, ${figures.ratios_not_calm} more were not calm\n`);
  if (flags.json) printJson(figures);
}

function ratiosOf(fours: readonly Four[], secondsOf: (round: Round) => number) {
  const rate = (rounds: readonly Round[]): number =>
    sum(rounds.map(({ documents }) => documents)) / sum(rounds.map(secondsOf));
  const ratios = fours.map(({ enforced, disabled }) => rate(enforced) / rate(disabled));
  const { low, high } = medianInterval(ratios);
  return {
    enforced: rounded(median(fours.map(({ enforced }) => rate(enforced)))),
    disabled: rounded(median(fours.map(({ disabled }) => rate(disabled)))),
    ratio: rounded(median(ratios), 4),
    low: rounded(low, 4),
    high: rounded(high, 4),
    quartiles: [rounded(quantile(ratios, 0.25), 4), rounded(quantile(ratios, 0.75), 4)],
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

await main();
