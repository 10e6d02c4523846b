// What the same documents are indexed into, side by side: a Weir cluster with its own engine, and a real OpenSearch of two nodes.
import type { Child } from '../support/child.ts';
import { createIndex, startOpenSearch } from '../support/opensearch-processes.ts';
import { peakRssMb } from '../support/process-usage.ts';
import { mustCall } from '../support/rest.ts';
import { startWeir } from '../support/weir-processes.ts';

export type Side = {
  /** Of its fields in the JSON: `opensearch_` or nothing. */
  readonly prefix: string;
  readonly label: string;
  /** Where clients send their bulks. */
  readonly origin: string;
  /** An index of one shard and one replica. */
  create(index: string): Promise<void>;
  count(index: string): Promise<number>;
  /** Highest memory of each process since its start. */
  peaks(): Readonly<Record<string, number>>;
  stop(): Promise<void>;
};

export async function weirSide(nodeFlags: readonly string[]): Promise<Side> {
  const weir = await startWeir({ dataNodes: 2, nodeFlags });
  const { origin, coordinator, dataNodes } = weir;
  return {
    ...{ prefix: '', label: 'Weir', origin },
    async create(index) {
      const settings = { index: { number_of_shards: 1, number_of_replicas: 1 } };
      await mustCall('PUT', `${origin}/${index}`, { settings });
    },
    count: (index) => countOf(origin, index),
    peaks: () => peaksOf([coordinator, ...dataNodes]),
    stop: () => weir.stop(),
  };
}

/** The one field whose kind the first documents do not tell: whole numbers and fractions. All others are mapped as they come. */
const MAPPINGS = { properties: { took_ms: { type: 'double' } } };

/** Bulks go to the node that holds the primary: its best case. */
export async function openSearchSide(): Promise<Side> {
  const { nodes, stop } = await startOpenSearch();
  const [{ origin }] = nodes;
  return {
    ...{ prefix: 'opensearch_', label: 'OpenSearch', origin, stop },
    create: (index) => createIndex(origin, index, MAPPINGS),
    async count(index) {
      await mustCall('POST', `${origin}/${index}/_refresh`);
      return countOf(origin, index);
    },
    peaks: () => peaksOf(nodes),
  };
}

async function countOf(origin: string, index: string): Promise<number> {
  return Number((await mustCall('GET', `${origin}/${index}/_count`))['count']);
}

function peaksOf(processes: readonly Pick<Child, 'name' | 'pid'>[]): Readonly<Record<string, number>> {
  return Object.fromEntries(processes.map(({ name, pid }) => [name, peakRssMb(pid)]));
}
