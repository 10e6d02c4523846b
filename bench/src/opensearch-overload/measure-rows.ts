// Measures each control of the overload benchmark before OpenSearch: none, its own two, at their best limits, and Weir.
import { systemClock } from '@weir/shared';
import { cityBulks } from '../support/city-documents.ts';
import type { Cores } from '../support/cores.ts';
import { rounded } from '../support/figures.ts';
import { startFront } from '../support/front-processes.ts';
import { OverloadedCluster } from './overloaded-cluster.ts';
import type { Row } from './report.ts';
import { DEADLINE_MS, DOCUMENTS_PER_BULK, type LoadTarget, type Timing } from './run-load.ts';

const FACTORS = [1.3, 3];
const OVERLOAD = 3;

export type Trial = { readonly limit: number; readonly goodput: number };

const CPU_MODE = 'admission_control.transport.cpu_usage.mode_override';
const CPU_LIMIT = 'admission_control.indexing.cpu_usage.limit';
/** Shares of what the node's average reached without control: the last one is to it what the default is to a node with a machine of its own. */
const CPU_SHARES = [0.5, 0.75, 0.95];

/** The loads are multiples of what the cluster did last without it. */
export async function measureRow(
  cluster: OverloadedCluster,
  timing: Timing,
  { name, label }: Pick<Row, 'name' | 'label'>,
  target: Partial<LoadTarget> = {},
): Promise<Row> {
  const at: Row['at'][number][] = [];
  const before = await cluster.lastCapacity();
  for (const factor of FACTORS) {
    say(`${label}, ${factor} × capacity`);
    at.push({ factor, measured: await cluster.overload(factor * before, timing, target) });
  }
  say('capacity');
  return { name, label, capacitiesPerS: [before, await cluster.capacity()], at };
}

export async function withAdmissionControl(cluster: OverloadedCluster, timing: Timing): Promise<Row> {
  await cluster.set({ [CPU_MODE]: 'enforced' });
  const label = 'admission control, CPU limit 95 (default)';
  const row = await measureRow(cluster, timing, { name: 'admission_control_default', label });
  await cluster.set({ [CPU_MODE]: null });
  return row;
}

/** `none` is the row without control: the limits tried are shares of the highest average that it saw. */
export async function withBestAdmissionControl(
  cluster: OverloadedCluster,
  timing: Timing,
  none: Row,
): Promise<{ readonly row: Row; readonly trials: readonly Trial[] }> {
  const reached = Math.max(...none.at.map(({ measured }) => measured.nodes.averageCpuPercent.max));
  await cluster.set({ [CPU_MODE]: 'enforced' });
  const trials: Trial[] = [];
  for (const limit of CPU_SHARES.map((share) => Math.round(share * reached))) {
    say(`admission control, trying CPU limit ${limit}`);
    await cluster.set({ [CPU_LIMIT]: limit });
    const { goodputPerS } = await cluster.overload(OVERLOAD * (await cluster.lastCapacity()), timing);
    trials.push({ limit, goodput: goodputPerS });
  }
  const { limit } = best(trials, ({ goodput }) => goodput);
  await cluster.set({ [CPU_LIMIT]: limit });
  const label = `admission control, CPU limit ${limit} (best of ${trials.length})`;
  const row = await measureRow(cluster, timing, { name: 'admission_control_best', label });
  await cluster.set({ [CPU_LIMIT]: null, [CPU_MODE]: null });
  return { row, trials };
}

export async function withWeir(
  cluster: OverloadedCluster,
  timing: Timing,
  cores: Cores,
  warmUpMs: number,
): Promise<Row> {
  const { nodes } = cluster;
  const front = await startFront(nodes, { agents: cores.own, others: cores.others });
  const [n1, n2] = nodes;
  const [agent1, agent2] = front.agents;
  if (agent1 === undefined || agent2 === undefined) throw new Error('an agent is missing');
  const { origin, coordinator, redis } = front;
  const processes = { n1, n2, 'agent 1': agent1, 'agent 2': agent2, coordinator, redis };
  say('Weir, warm-up');
  await cluster.warmUpInFront({ origin, processes }, warmUpMs);
  const row = await measureRow(cluster, timing, { name: 'weir', label: 'Weir' }, { origin, processes });
  await front.stop();
  return row;
}

/** Shares of what can be done within the deadline. */
const PRESSURE_SHARES = [0.25, 0.5];

/** A limit holds from a node's start: each has a cluster and a warm-up of its own, and the better one is the row. */
export async function withBestIndexingPressure(
  { capacityPerS, timing }: { readonly capacityPerS: number; readonly timing: Timing },
  cores: Cores,
  warmUpMs: number,
): Promise<{ readonly row: Row; readonly trials: readonly Trial[] }> {
  const [body] = await cityBulks(1, DOCUMENTS_PER_BULK);
  const tried: { readonly limit: number; readonly row: Row }[] = [];
  for (const share of PRESSURE_SHARES) {
    const bulks = (share * capacityPerS * DEADLINE_MS) / 1_000;
    const limit = Math.round(bulks * (body?.length ?? 0));
    const label = `indexing pressure, ${rounded(limit / 1e6, 2)} MB (better of ${PRESSURE_SHARES.length})`;
    const cluster = await OverloadedCluster.start(cores, { 'indexing_pressure.memory.limit': `${limit}b` });
    say(`${label}, warm-up`);
    await cluster.warmUp(warmUpMs);
    tried.push({ limit, row: await measureRow(cluster, timing, { name: 'indexing_pressure', label }) });
    await cluster.stop();
  }
  const { row } = best(tried, ({ row }) => goodputOf(row));
  return { row, trials: tried.map(({ limit, row }) => ({ limit, goodput: goodputOf(row) })) };
}

export function say(what: string): void {
  process.stderr.write(`${rounded(systemClock.nowMs() / 1_000)} s: ${what}\n`);
}

function goodputOf({ at }: Row): number {
  return at.find(({ factor }) => factor === OVERLOAD)?.measured.goodputPerS ?? 0;
}

/** Of equal ones the last, which is the highest limit. */
function best<T>(items: readonly T[], by: (item: T) => number): T {
  const [first, ...others] = items;
  if (first === undefined) throw new Error('nothing was tried');
  return others.reduce((leader, item) => (by(item) >= by(leader) ? item : leader), first);
}
