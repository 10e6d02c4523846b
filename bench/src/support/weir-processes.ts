// A Weir cluster of real processes on loopback: a private Redis, data nodes and one coordinator, each on its own cores.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { delay, systemClock, systemTimers } from '@weir/shared';
import { request } from 'undici';
import { type Child, startChild } from './child.ts';
import { mustCall } from './rest.ts';

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

const READY_LIMIT_MS = 30_000;
const READY_POLL_MS = 20;
const HOST = '127.0.0.1';

export async function startWeir(options: ClusterOptions): Promise<WeirProcesses> {
  const directory = mkdtempSync(join(tmpdir(), 'weir-bench-'));
  const { dataNodeCpus, otherCpus, nodeFlags = [] } = options;
  const children: Child[] = [];
  const start = (child: Child): Child => {
    children.push(child);
    return child;
  };
  const socket = join(directory, 'redis.sock');
  const redis = start(startRedis(socket, directory, otherCpus));
  await untilConnected(socket, redis);
  const service = (kind: 'coordinator' | 'datanode', name: string, port: number): Child => {
    const dataDir = join(directory, name);
    mkdirSync(dataDir);
    return start(
      startChild(name, [process.execPath, ...nodeFlags, mainOf(kind)], {
        cpus: kind === 'datanode' ? dataNodeCpus : otherCpus,
        logFile: join(directory, `${name}.log`),
        env: {
          WEIR_REDIS_URL: `unix://${socket}`,
          WEIR_NODE_NAME: name,
          WEIR_HTTP_PORT: String(port),
          WEIR_DATA_DIR: dataDir,
        },
      }),
    );
  };
  const ports = await freePorts(options.dataNodes + 1);
  const [coordinatorPort = 0, ...dataNodePorts] = ports;
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
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Resolves once a process of this benchmark answers `/readyz`. */
export async function untilReady(child: Child, port: number): Promise<void> {
  await until(child, async () => {
    const answer = await request(`http://${HOST}:${port}/readyz`);
    await answer.body.dump();
    return answer.statusCode === 200;
  });
}

/** Ports that nothing listens on at the moment. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, () => {
      const server = createServer();
      return new Promise<typeof server>((resolve) => server.listen(0, HOST, () => resolve(server)));
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function mainOf(service: 'coordinator' | 'datanode'): string {
  return new URL(`../../../packages/${service}/dist/main.js`, import.meta.url).pathname;
}

function startRedis(socket: string, directory: string, cpus: readonly number[] | undefined): Child {
  const options = ['--port', '0', '--unixsocket', socket, '--save', '', '--appendonly', 'no'];
  return startChild('redis-server', ['redis-server', ...options, '--dir', directory], {
    cpus,
    logFile: join(directory, 'redis.log'),
  });
}

async function untilConnected(socket: string, redis: Child): Promise<void> {
  await until(
    redis,
    () =>
      new Promise((resolve) => {
        const probe = connect(socket, () => {
          probe.destroy();
          resolve(true);
        });
        probe.on('error', () => resolve(false));
      }),
  );
}

async function until(child: Child, reached: () => Promise<boolean>): Promise<void> {
  const limitMs = systemClock.nowMs() + READY_LIMIT_MS;
  while (!(await reached().catch(() => false))) {
    if (!child.running() || systemClock.nowMs() > limitMs)
      throw new Error(`${child.name} is not ready:\n${child.lastLines()}`);
    await delay(systemTimers, READY_POLL_MS);
  }
}
