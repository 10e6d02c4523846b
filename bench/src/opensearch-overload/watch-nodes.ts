// What OpenSearch says of its nodes while a load runs: how busy each process is, what waits in its write pool, and what admission control looks at.
import { systemTimers } from '@weir/shared';
import { median, rounded } from '../support/figures.ts';
import { mustCall } from '../support/rest.ts';

/** One node at one moment. */
export type NodeFigures = {
  /** This JVM's share of the whole machine's processors. */
  readonly cpuPercent: number;
  readonly writeQueue: number;
  readonly writeActive: number;
  /** The mean of its processor share over the last 30 s; undefined in the first two minutes of a node. */
  readonly averageCpuPercent: number | undefined;
};

type Stats = {
  readonly nodes: Readonly<
    Record<
      string,
      {
        readonly name: string;
        readonly process: { readonly cpu: { readonly percent: number } };
        readonly thread_pool: { readonly write: { readonly queue: number; readonly active: number } };
        readonly resource_usage_stats: Readonly<Record<string, { readonly cpu_utilization_percent: string }>>;
      }
    >
  >;
};

export async function readNodes(origin: string): Promise<ReadonlyMap<string, NodeFigures>> {
  const path = '/_nodes/stats/process,thread_pool,resource_usage_stats';
  const { nodes } = (await mustCall('GET', origin + path)) as unknown as Stats;
  return new Map(
    Object.entries(nodes).map(([id, { name, process, thread_pool, resource_usage_stats }]) => {
      const average = resource_usage_stats[id]?.cpu_utilization_percent;
      return [
        name,
        {
          cpuPercent: process.cpu.percent,
          writeQueue: thread_pool.write.queue,
          writeActive: thread_pool.write.active,
          averageCpuPercent: average === undefined ? undefined : Number(average),
        },
      ];
    }),
  );
}

type MedianAndMax = { readonly median: number; readonly max: number };

export type Watched = {
  readonly cpuPercent: MedianAndMax;
  readonly writeQueue: MedianAndMax;
  readonly averageCpuPercent: MedianAndMax;
};

const POLL_MS = 1_000;

/** Looks once a second, not again before it was answered; `stop` gives what was seen of the node n1, which holds the primary. */
export function watchNodes(origin: string): { stop(): Promise<Watched> } {
  const seen: NodeFigures[] = [];
  let asking: Promise<void> | undefined;
  const ask = async (): Promise<void> => {
    // A node out of memory refuses this too: then it is not seen for a second.
    const node = (await readNodes(origin).catch(() => undefined))?.get('n1');
    if (node !== undefined) seen.push(node);
  };
  const cancel = systemTimers.every(POLL_MS, () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
  });
  return {
    async stop() {
      cancel();
      await asking;
      const of = (figure: (node: NodeFigures) => number | undefined): MedianAndMax => {
        const values = seen.map(figure).filter((value) => value !== undefined);
        if (values.length === 0) throw new Error(`node n1 told nothing at ${origin} while the load ran`);
        return { median: rounded(median(values), 1), max: Math.max(...values) };
      };
      return {
        cpuPercent: of(({ cpuPercent }) => cpuPercent),
        writeQueue: of(({ writeQueue }) => writeQueue),
        averageCpuPercent: of(({ averageCpuPercent }) => averageCpuPercent),
      };
    },
  };
}
