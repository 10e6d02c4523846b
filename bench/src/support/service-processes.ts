// Single processes of a Weir cluster on loopback: a private Redis, a service from the built code, and how to wait for either.
import { mkdirSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { delay, systemClock, systemTimers } from '@weir/shared';
import { request } from 'undici';
import { type Child, startChild } from './child.ts';

export type ServiceOptions = {
  readonly program: 'coordinator' | 'datanode';
  readonly name: string;
  readonly port: number;
  readonly redisUrl: string;
  /** Holds its data and its log. */
  readonly directory: string;
  readonly cpus?: readonly number[] | undefined;
  /** Flags for Node itself. */
  readonly nodeFlags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

export const HOST = '127.0.0.1';
const READY_LIMIT_MS = 30_000;
const READY_POLL_MS = 20;

/** A coordinator, a data node or an agent; it is not ready yet. */
export function startService(options: ServiceOptions): Child {
  const { program, name, directory, nodeFlags = [] } = options;
  const dataDir = join(directory, name);
  mkdirSync(dataDir);
  return startChild(name, [process.execPath, ...nodeFlags, mainOf(program)], {
    cpus: options.cpus,
    logFile: join(directory, `${name}.log`),
    env: {
      WEIR_REDIS_URL: options.redisUrl,
      WEIR_NODE_NAME: name,
      WEIR_HTTP_PORT: String(options.port),
      WEIR_DATA_DIR: dataDir,
      ...options.env,
    },
  });
}

/** Listens on a unix socket in the directory once this resolves; keeps nothing. */
export async function startRedis(
  directory: string,
  cpus: readonly number[] | undefined,
): Promise<{ readonly redis: Child; readonly redisUrl: string }> {
  const socket = join(directory, 'redis.sock');
  const options = ['--port', '0', '--unixsocket', socket, '--save', '', '--appendonly', 'no'];
  const redis = startChild('redis-server', ['redis-server', ...options, '--dir', directory], {
    cpus,
    logFile: join(directory, 'redis.log'),
  });
  await untilConnected(socket, redis);
  return { redis, redisUrl: `unix://${socket}` };
}

/** Resolves once a process of this benchmark answers `/readyz`. */
export async function untilReady(child: Child, port: number): Promise<void> {
  await until(child, async () => {
    const answer = await request(`http://${HOST}:${port}/readyz`);
    await answer.body.dump();
    return answer.statusCode === 200;
  });
}

/** Resolves once something is so that a process has to bring about; what throws is not so yet. */
export async function until(
  child: Child,
  reached: () => Promise<boolean>,
  limitMs = READY_LIMIT_MS,
): Promise<void> {
  const endMs = systemClock.nowMs() + limitMs;
  while (!(await reached().catch(() => false))) {
    if (!child.running() || systemClock.nowMs() > endMs)
      throw new Error(`${child.name} is not ready:\n${child.lastLines()}`);
    await delay(systemTimers, READY_POLL_MS);
  }
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

function mainOf(program: ServiceOptions['program']): string {
  return new URL(`../../../packages/${program}/dist/main.js`, import.meta.url).pathname;
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
