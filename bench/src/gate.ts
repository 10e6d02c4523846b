// What do gate and guard cost a cluster that is calm: documents a second with admission enforced ÷ with admission disabled?
// Method: real processes (Redis, coordinator, two data nodes), one index of one shard and one replica, bulks of 100 documents of 1 KB from a few
// clients. Short rounds take turns in one run; between two of them `weir.admission.mode` is changed over HTTP and time is left until every node
// has applied it. Each pair of neighbouring rounds gives one ratio, and which of the two comes first changes from pair to pair, so that
// neither a growing index nor whatever else the machine does favours one. The median of the ratios counts; its interval of 95 % comes from
// resampling them. A pair in which anything was refused is left out and told: then the cluster was not calm.
// `--seconds n` per round (default 1.5), `--pairs n` (default 30), `--json` prints one object as the last line.
import { parseArgs } from 'node:util';
import { delay, systemTimers } from '@weir/shared';
import { BulkClients, type Indexed } from './support/bulk-clients.ts';
import { median, medianInterval, printJson, printTable, quantile, rounded } from './support/figures.ts';
import { mustCall, putSettings } from './support/rest.ts';
import { startWeir } from './support/weir-processes.ts';

const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '1.5' },
    pairs: { type: 'string', default: '30' },
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

async function main(): Promise<void> {
  const weir = await startWeir({ dataNodes: 2 });
  const settings = { index: { number_of_shards: 1, number_of_replicas: 1 } };
  await mustCall('PUT', `${weir.origin}/${INDEX}`, { settings });
  const clients = new BulkClients({ ...LOAD, origin: weir.origin, index: INDEX });
  const docsPerS: Record<Mode, number[]> = { enforced: [], disabled: [] };
  const round = async (mode: Mode): Promise<Indexed> => {
    await putSettings(weir.origin, { 'weir.admission.mode': mode });
    await delay(systemTimers, APPLIED_MS);
    return clients.run(ROUND_MS);
  };
  await clients.run(WARM_UP_MS);
  for (let pair = 0; pair < Number(flags.pairs); pair++) {
    const measured: Partial<Record<Mode, Indexed>> = {};
    for (const mode of orderOf(pair)) measured[mode] = await round(mode);
    const { enforced, disabled } = measured;
    if (enforced === undefined || disabled === undefined || enforced.refused > 0) continue;
    docsPerS.enforced.push(enforced.docsPerS);
    docsPerS.disabled.push(disabled.docsPerS);
  }
  await clients.close();
  await weir.stop();
  report(docsPerS);
}

function orderOf(pair: number): readonly Mode[] {
  return pair % 2 === 0 ? ['enforced', 'disabled'] : ['disabled', 'enforced'];
}

function report({ enforced, disabled }: Readonly<Record<Mode, readonly number[]>>): void {
  const ratios = enforced.map((docs, pair) => docs / (disabled[pair] ?? Number.NaN));
  const { low, high } = medianInterval(ratios);
  const figures = {
    ratio: rounded(median(ratios), 4),
    ratio_low: rounded(low, 4),
    ratio_high: rounded(high, 4),
    ratio_quartiles: [rounded(quantile(ratios, 0.25), 4), rounded(quantile(ratios, 0.75), 4)],
    pairs: ratios.length,
    pairs_not_calm: Number(flags.pairs) - ratios.length,
    docs_per_s_enforced: rounded(median(enforced)),
    docs_per_s_disabled: rounded(median(disabled)),
  };
  printTable(
    (['enforced', 'disabled'] as const).map((mode) => ({
      admission: mode,
      'docs/s, median': figures[`docs_per_s_${mode}`],
    })),
  );
  process.stdout.write(
    `\nenforced ÷ disabled: ${figures.ratio} (95 %: ${figures.ratio_low} to ${figures.ratio_high}; quartiles ${figures.ratio_quartiles.join(' and ')}; ${figures.pairs} pairs, ${figures.pairs_not_calm} more were not calm)\n`,
  );
  if (flags.json) printJson(figures);
}

await main();
