// A Weir cluster of real processes on loopback: a private Redis, data nodes and one coordinator, each on its own cores.
import type { Child } from './child.ts';
import { mustCall } from './rest.ts';
import {
  freePorts,
  HOST,
  type ServiceOptions,
  startRedis,
  startService,
  untilReady,
} from './service-processes.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export type ClusterOptions = {
  readonly dataNodes: number;
  /** Cores of the data nodes, and of everything else; all where none are named. */
  readonly dataNodeCpus?: readonly number[];
  readonly otherCpus?: readonly number[];
  /** Flags for Node itself. */
  readonly nodeFlags?: readonly string[];
};

export type WeirProcesses = {
  /** Base URL of the coordinator. */
  readonly origin: string;
  readonly coordinator: Child;
  readonly dataNodes: readonly Child[];
  readonly redis: Child;
  /** Ends everything and removes the data; `kill` does not wait for work in flight. */
  stop(how?: 'in order' | 'kill'): Promise<void>;
};

export async function startWeir(options: ClusterOptions): Promise<WeirProcesses> {
  const { path: directory, remove } = temporaryDirectory();
  const { dataNodeCpus, otherCpus, nodeFlags = [] } = options;
  const { redis, redisUrl } = await startRedis(directory, otherCpus);
  const children: Child[] = [redis];
  const service = (program: ServiceOptions['program'], name: string, port: number): Child => {
    const cpus = program === 'datanode' ? dataNodeCpus : otherCpus;
    const child = startService({ program, name, port, redisUrl, directory, nodeFlags, cpus });
    children.push(child);
    return child;
  };
  const [coordinatorPort = 0, ...dataNodePorts] = await freePorts(options.dataNodes + 1);
  const dataNodes = dataNodePorts.map((port, at) => service('datanode', `dn${at + 1}`, port));
  await Promise.all(dataNodes.map((child, at) => untilReady(child, dataNodePorts[at] ?? 0)));
  const coordinator = service('coordinator', 'coordinator', coordinatorPort);
  await untilReady(coordinator, coordinatorPort);
  const origin = `http://${HOST}:${coordinatorPort}`;
  await mustCall('GET', `${origin}/_cluster/health?wait_for_nodes=>=${options.dataNodes + 1}&timeout=30s`);
  return {
    ...{ origin, coordinator, dataNodes, redis },
    async stop(how = 'in order') {
      for (const child of children.toReversed()) await child.stop(how === 'kill' ? 'SIGKILL' : 'SIGTERM');
      remove();
    },
  };
}
