// The ways to a real OpenSearch that are compared: directly to the node that holds the primary, through Weir, through nginx to that node, and through two bare hops.
import { startBareHops } from '../support/bare-hops.ts';
import { type FrontProcesses, startFront } from '../support/front-processes.ts';
import { KeptClients } from '../support/kept-clients.ts';
import { startNginx } from '../support/nginx-process.ts';
import { createIndex, startOpenSearch } from '../support/opensearch-processes.ts';
import { cpuMs } from '../support/process-usage.ts';

export type Way = {
  readonly name: 'direct' | 'weir' | 'nginx' | 'bare hops';
  readonly clients: KeptClients;
  /** Processor time used so far by what stands between client and OpenSearch. */
  ownCpuMs(): number;
};

export type Ways = {
  readonly all: readonly Way[];
  readonly nodeOrigin: string;
  nodesCpuMs(): number;
  createIndex(name: string): Promise<void>;
  stop(): Promise<void>;
};

/**
 * A wait that is usual with these loads on two cores is no overload: as docs/opensearch.md tells operators to do, the limit is set above it.
 * Everything is decided as always, and nothing should be refused.
 */
const WAIT_MS = { soft: 20_000, hard: 30_000 };

export async function startWays(mostClients: number): Promise<Ways> {
  const { nodes, stop: stopNodes } = await startOpenSearch();
  const [n1] = nodes;
  const front = await startFront(nodes);
  await front.set({
    'weir.admission.queue.primary.soft': WAIT_MS.soft,
    'weir.admission.queue.primary.hard': WAIT_MS.hard,
    'weir.admission.queue.replica.soft': WAIT_MS.soft,
    'weir.admission.queue.replica.hard': WAIT_MS.hard,
  });
  const nginx = await startNginx(n1.origin);
  if (nginx === undefined) process.stdout.write('nginx is left out: not found\n\n');
  const bare = await startBareHops(n1.origin);
  const way = (name: Way['name'], origin: string, pids: readonly number[]): Way => ({
    ...{ name, clients: new KeptClients(origin, mostClients) },
    ownCpuMs: () => cpuOf(pids),
  });
  const all = [
    way('direct', n1.origin, []),
    way('weir', front.origin, pidsOf(front)),
    ...(nginx === undefined ? [] : [way('nginx', nginx.origin, [nginx.child.pid])]),
    way(
      'bare hops',
      bare.origin,
      bare.hops.map(({ pid }) => pid),
    ),
  ];
  return {
    ...{ all, nodeOrigin: n1.origin },
    nodesCpuMs: () => cpuOf(nodes.map(({ pid }) => pid)),
    createIndex: (name) => createIndex(n1.origin, name),
    async stop() {
      await Promise.all(all.map(({ clients }) => clients.close()));
      await bare.stop();
      await nginx?.stop();
      await front.stop();
      await stopNodes();
    },
  };
}

function pidsOf({ coordinator, agents, redis }: FrontProcesses): readonly number[] {
  return [coordinator, ...agents, redis].map(({ pid }) => pid);
}

function cpuOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuMs(pid), 0);
}
