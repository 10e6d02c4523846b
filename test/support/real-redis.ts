// A private Redis for one test file: the real server, on a unix socket in a directory of its own, without persistence.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';

export type RealRedis = {
  readonly url: string;
  /** A plain client, for what a stranger or an operator would do to the keys. */
  readonly admin: Redis;
  readonly pid: number;
  /** Starts it again at the same address, empty, after `kill`. */
  restart(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
};

/** Starts redis-server (or valkey-server) from PATH. */
export async function startRealRedis(): Promise<RealRedis> {
  const directory = await mkdtemp(join(tmpdir(), 'weir-redis-'));
  const socket = join(directory, 'redis.sock');
  let server = await spawnServer(socket, directory);
  const admin = new Redis(socket, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  admin.on('error', () => undefined);
  await admin.ping();
  const kill = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  };
  return {
    url: `unix://${socket}`,
    admin,
    get pid() {
      return server.pid ?? 0;
    },
    kill,
    async restart() {
      server = await spawnServer(socket, directory);
      await admin.ping();
    },
    async stop() {
      admin.disconnect();
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function spawnServer(socket: string, directory: string): Promise<ChildProcess> {
  for (const command of ['redis-server', 'valkey-server']) {
    const server = spawn(
      command,
      ['--port', '0', '--unixsocket', socket, '--save', '', '--appendonly', 'no', '--dir', directory],
      { stdio: 'ignore' },
    );
    if (await started(server)) {
      await answering(socket);
      return server;
    }
  }
  throw new Error(
    'neither redis-server nor valkey-server is on PATH: install one of them (apt-get install redis-server)',
  );
}

function started(server: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    server.once('spawn', () => resolve(true));
    server.once('error', () => resolve(false));
  });
}

async function answering(socket: string): Promise<void> {
  const probe = new Redis(socket, {
    retryStrategy: (attempt) => (attempt > 500 ? null : 20),
    maxRetriesPerRequest: null,
  });
  probe.on('error', () => undefined);
  try {
    await probe.ping();
  } finally {
    probe.disconnect();
  }
}
