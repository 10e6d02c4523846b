// Weir before two real OpenSearch nodes, as processes of their own: a private Redis, an agent beside each node, and one coordinator.
import type { Child } from './child.ts';
import type { OpenSearchNode } from './opensearch-processes.ts';
import { mustCall, putSettings } from './rest.ts';
import { freePorts, HOST, startRedis, startService, until, untilReady } from './service-processes.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export type FrontProcesses = {
  /** Base URL of the coordinator. */
  readonly origin: string;
  readonly coordinator: Child;
  readonly agents: readonly Child[];
  readonly redis: Child;
  /** Resolves once the coordinator and both agents have them. */
  set(settings: Readonly<Record<string, unknown>>): Promise<void>;
  stop(): Promise<void>;
};

export type FrontCpus = { readonly agents?: readonly number[]; readonly others?: readonly number[] };

type View = {
  readonly nodes: Readonly<Record<string, { readonly address: string; readonly state: string }>>;
};
type Applied = { readonly nodes: Readonly<Record<string, { readonly versions_behind: number }>> };

const SEEN = ['calm', 'stressed'];

/** Resolves once the coordinator has fresh evidence of every node. */
export async function startFront(
  nodes: readonly OpenSearchNode[],
  cpus: FrontCpus = {},
): Promise<FrontProcesses> {
  const { path: directory, remove } = temporaryDirectory();
  const { redis, redisUrl } = await startRedis(directory, cpus.others);
  const [coordinatorPort = 0, ...agentPorts] = await freePorts(nodes.length + 1);
  const agents = nodes.map(({ name, origin, dataPath }, at) =>
    startService({
      ...{ program: 'datanode', name: `agent-${name}`, port: agentPorts[at] ?? 0 },
      ...{ redisUrl, directory, cpus: cpus.agents },
      env: before(origin, { WEIR_OPENSEARCH_DATA_PATH: dataPath }),
    }),
  );
  const coordinator = startService({
    ...{ program: 'coordinator', name: 'coordinator', port: coordinatorPort },
    ...{ redisUrl, directory, cpus: cpus.others },
    env: before(nodes.map(({ origin }) => origin).join(',')),
  });
  await Promise.all(agents.map((agent, at) => untilReady(agent, agentPorts[at] ?? 0)));
  await untilReady(coordinator, coordinatorPort);
  const origin = `http://${HOST}:${coordinatorPort}`;
  await until(coordinator, () => seesAll(origin, nodes.length));
  return {
    ...{ origin, coordinator, agents, redis },
    async set(settings) {
      await putSettings(origin, settings);
      await until(coordinator, () => allApplied(origin));
    },
    async stop() {
      for (const child of [coordinator, ...agents, redis]) await child.stop();
      remove();
    },
  };
}

function before(urls: string, own: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { WEIR_ENGINE: 'opensearch', WEIR_OPENSEARCH_URLS: urls, ...own };
}

async function seesAll(origin: string, count: number): Promise<boolean> {
  const { nodes } = (await mustCall('GET', `${origin}/_weir/view`)) as View;
  const seen = Object.values(nodes).filter(({ address, state }) => address !== '' && SEEN.includes(state));
  return seen.length === count;
}

async function allApplied(origin: string): Promise<boolean> {
  const { nodes } = (await mustCall('GET', `${origin}/_weir/settings`)) as Applied;
  return Object.values(nodes).every(({ versions_behind }) => versions_behind === 0);
}
