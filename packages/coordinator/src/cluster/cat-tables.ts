// The tables of `_cat`: which there are, their columns under OpenSearch's names, and where their rows come from.
import type { ClusterView } from '@weir/shared';
import type { ReadShards } from '../documents/read-shards.ts';
import { catIndices, catShards } from './cat-shard-rows.ts';
import type { CatColumn, CatRow } from './cat-table.ts';
import { type ClusterFacts, liveNodes } from './cluster-facts.ts';
import { summarize } from './cluster-health.ts';
import { measureCopies, primariesOf, sumFigures } from './copy-figures.ts';
import { resolveIndices } from './resolve-indices.ts';
import { copiesOf } from './shard-copies.ts';

export type CatSources = {
  readonly facts: ClusterFacts;
  readonly reads: ReadShards;
  readonly view: Pick<ClusterView, 'node'>;
};

export type CatTable = {
  /** Whether an index expression may follow in the path. */
  readonly byIndex: boolean;
  readonly columns: readonly CatColumn[];
  readonly rows: (sources: CatSources, expression: string) => Promise<readonly CatRow[]>;
};

const column = (name: string, ...aliases: readonly string[]): CatColumn => ({ name, aliases });
const STRICT = { ignoreUnavailable: false, allowNoIndices: true };

export const CAT_TABLES: Readonly<Record<string, CatTable>> = {
  nodes: {
    byIndex: false,
    columns: [
      column('ip', 'i'),
      column('heap.percent', 'hp', 'heapPercent'),
      column('cpu'),
      column('node.role', 'r', 'role', 'nodeRole'),
      column('node.roles', 'rs', 'all_roles'),
      column('cluster_manager', 'm', 'master'),
      column('name', 'n'),
      { ...column('id', 'nodeId'), hidden: true },
    ],
    rows: async (sources) => nodeRows(sources),
  },
  shards: {
    byIndex: true,
    columns: [
      column('index', 'i', 'idx'),
      column('shard', 's', 'sh'),
      column('prirep', 'p', 'pr', 'primaryOrReplica'),
      column('state', 'st'),
      column('docs', 'd', 'dc'),
      column('store', 'sto'),
      column('ip'),
      column('node', 'n'),
      { ...column('id'), hidden: true },
      { ...column('unassigned.reason', 'ur'), hidden: true },
    ],
    rows: async ({ facts, reads }, expression) => catShards(await measured(facts, reads, expression), facts),
  },
  indices: {
    byIndex: true,
    columns: [
      column('health', 'h'),
      column('status', 's'),
      column('index', 'i', 'idx'),
      column('uuid', 'id'),
      column('pri', 'p', 'shards.primary', 'shardsPrimary'),
      column('rep', 'r', 'shards.replica', 'shardsReplica'),
      column('docs.count', 'dc', 'docsCount'),
      column('docs.deleted', 'dd', 'docsDeleted'),
      column('store.size', 'ss', 'storeSize'),
      column('pri.store.size'),
      { ...column('creation.date', 'cd'), hidden: true },
    ],
    rows: async ({ facts, reads }, expression) => catIndices(await measured(facts, reads, expression)),
  },
  health: {
    byIndex: false,
    columns: [
      column('epoch', 't', 'time'),
      column('timestamp', 'ts', 'hms', 'hhmmss'),
      column('cluster', 'cl'),
      column('status', 'st'),
      column('node.total', 'nt', 'nodeTotal'),
      column('node.data', 'nd', 'nodeData'),
      column('discovered_cluster_manager', 'dcm'),
      column('shards', 't', 'sh', 'shards.total', 'shardsTotal'),
      column('pri', 'p', 'shards.primary', 'shardsPrimary'),
      column('relo', 'r', 'shards.relocating'),
      column('init', 'i', 'shards.initializing'),
      column('unassign', 'u', 'shards.unassigned'),
      column('pending_tasks', 'pt', 'pendingTasks'),
      column('max_task_wait_time', 'mtwt', 'maxTaskWaitTime'),
      column('active_shards_percent', 'asp', 'activeShardsPercent'),
    ],
    rows: async ({ facts }) => [healthRow(facts)],
  },
  count: {
    byIndex: true,
    columns: [
      column('epoch', 't', 'time'),
      column('timestamp', 'ts', 'hms', 'hhmmss'),
      column('count', 'dc', 'docs.count'),
    ],
    rows: async ({ facts, reads }, expression) => {
      const copies = primariesOf(await measured(facts, reads, expression));
      return [{ ...timeCells(facts), count: sumFigures(copies).docs }];
    },
  },
};

function measured(facts: ClusterFacts, reads: ReadShards, expression: string) {
  return measureCopies(resolveIndices(facts.topology, expression, STRICT), facts.isLive, reads);
}

/** Data nodes by name, then this coordinator; no ports, so that nobody goes round it. */
function nodeRows({ facts, view }: CatSources): readonly CatRow[] {
  const dataNodes = liveNodes(facts).map((node): CatRow => {
    const states = view.node(node.id)?.states;
    return {
      ip: hostOf(node.address),
      'heap.percent': rounded(states?.valueOf('heap')),
      cpu: rounded(states?.valueOf('cpu')),
      'node.role': 'd',
      'node.roles': 'data',
      cluster_manager: '-',
      name: node.name,
      id: node.id,
    };
  });
  const self: CatRow = {
    ip: hostOf(`http://${facts.self.publishAddress()}`),
    'heap.percent': undefined,
    cpu: undefined,
    'node.role': '-',
    'node.roles': '-',
    cluster_manager: '*',
    name: facts.self.name,
    id: facts.self.id,
  };
  return [...dataNodes, self];
}

function healthRow(facts: ClusterFacts): CatRow {
  const dataNodes = liveNodes(facts).length;
  const summary = summarize(facts.topology.indices().flatMap((index) => copiesOf(index, facts.isLive)));
  return {
    ...timeCells(facts),
    cluster: facts.clusterName,
    status: summary.status,
    'node.total': dataNodes + 1,
    'node.data': dataNodes,
    discovered_cluster_manager: 'true',
    shards: summary.active,
    pri: summary.activePrimaries,
    relo: 0,
    init: 0,
    unassign: summary.unassigned,
    pending_tasks: 0,
    max_task_wait_time: '-',
    active_shards_percent: `${summary.activePercent.toFixed(1)}%`,
  };
}

function timeCells({ clock }: ClusterFacts): CatRow {
  const wallMs = clock.wallMs();
  return { epoch: Math.floor(wallMs / 1000), timestamp: new Date(wallMs).toISOString().slice(11, 19) };
}

function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).hostname : '-';
}

function rounded(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value);
}
