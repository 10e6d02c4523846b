// Measures one kind of load on every way in turns, and gives the ratios of neighbouring rounds.
import type { Rng } from '@weir/shared';
import { median, medianInterval, quantile, rounded } from '../support/figures.ts';
import type { Exchange } from '../support/kept-clients.ts';
import type { Way, Ways } from './ways.ts';

export type CellLoad = { readonly clients: number; readonly roundMs: number; readonly exchange: Exchange };

type WayRound = {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly perS: number;
  readonly documents: number;
  readonly refused: number;
  readonly nodesCpuMs: number;
  readonly ownCpuMs: number;
};
type Turn = ReadonlyMap<Way['name'], WayRound>;

export async function warmUp(ways: Ways, loads: readonly CellLoad[], perWayMs: number): Promise<void> {
  const rounds = Math.ceil(perWayMs / loads.reduce((sum, { roundMs }) => sum + roundMs, 0));
  for (let round = 0; round < rounds; round++)
    for (const load of loads)
      for (const { clients } of ways.all) await clients.run(load.clients, load.roundMs, load.exchange);
}

/** The first turn does not count: the index is new to all. */
export async function measureCell(ways: Ways, load: CellLoad, turns: number, chance: Rng) {
  await takeTurn(ways, load, chance);
  const taken: Turn[] = [];
  while (taken.length < turns) taken.push(await takeTurn(ways, load, chance));
  return summarize(taken, ways);
}

async function takeTurn(ways: Ways, load: CellLoad, chance: Rng): Promise<Turn> {
  const turn = new Map<Way['name'], WayRound>();
  for (const way of shuffled(ways.all, chance)) turn.set(way.name, await runRound(ways, way, load));
  return turn;
}

async function runRound(ways: Ways, way: Way, load: CellLoad): Promise<WayRound> {
  const [nodesBeforeMs, ownBeforeMs] = [ways.nodesCpuMs(), way.ownCpuMs()];
  const { latenciesMs, ...rest } = await way.clients.run(load.clients, load.roundMs, load.exchange);
  return {
    ...rest,
    p50Ms: median(latenciesMs),
    p99Ms: quantile(latenciesMs, 0.99),
    nodesCpuMs: ways.nodesCpuMs() - nodesBeforeMs,
    ownCpuMs: way.ownCpuMs() - ownBeforeMs,
  };
}

function summarize(turns: readonly Turn[], { all }: Ways) {
  const roundsOf = (name: Way['name']): readonly WayRound[] => turns.flatMap((turn) => turn.get(name) ?? []);
  const direct = roundsOf('direct');
  return Object.fromEntries(
    all.map(({ name }) => {
      const rounds = roundsOf(name);
      const ratios = (of: (round: WayRound) => number): number[] =>
        rounds.map((round, at) => of(round) / of(direct[at] ?? round));
      const added = rounds.map(({ p50Ms }, at) => p50Ms - (direct[at]?.p50Ms ?? Number.NaN));
      const sum = (of: (round: WayRound) => number): number =>
        rounds.reduce((total, round) => total + of(round), 0);
      const middle = (of: (round: WayRound) => number, digits: number): number =>
        rounded(median(rounds.map(of)), digits);
      return [
        name,
        {
          p50_ms: middle(({ p50Ms }) => p50Ms, 3),
          p99_ms: middle(({ p99Ms }) => p99Ms, 3),
          docs_per_s: middle(({ perS }) => perS, 0),
          ...{ documents: sum(({ documents }) => documents), refused: sum(({ refused }) => refused) },
          nodes_cpu_s: rounded(sum(({ nodesCpuMs }) => nodesCpuMs) / 1_000, 2),
          own_cpu_s: rounded(sum(({ ownCpuMs }) => ownCpuMs) / 1_000, 2),
          p50_ratio: inInterval(ratios(({ p50Ms }) => p50Ms)),
          docs_ratio: inInterval(ratios(({ perS }) => perS)),
          p50_added_ms: rounded(median(added), 3),
        },
      ] as const;
    }),
  );
}

export type Cell = Awaited<ReturnType<typeof measureCell>>;
export type WayFigures = Cell[string];

function inInterval(values: readonly number[]) {
  const { low, high } = medianInterval(values);
  return { median: rounded(median(values), 3), low: rounded(low, 3), high: rounded(high, 3) };
}

function shuffled<T>(items: readonly T[], chance: Rng): readonly T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(Math.floor(chance.next() * left.length), 1));
}
