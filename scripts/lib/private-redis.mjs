// A Redis of one's own: no persistence, reachable only by this user, gone when it is stopped.
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from './find-program.mjs';
import { anyFreePort } from './ports.mjs';
import { redisProblem } from './redis-ping.mjs';
import { Failure } from './say.mjs';
import { Supervised } from './supervised.mjs';

/** The kernel's limit for the path of a unix socket is 104 to 108 bytes. */
const LONGEST_SOCKET_PATH = 100;
const START_LIMIT_MS = 10_000;
const COMMON = ['save ""', 'appendonly no', 'daemonize no'];

/** Path of redis-server or valkey-server, or undefined. */
export function findRedisServer() {
  return findProgram('redis-server', 'valkey-server');
}

/** Starts `program` in `directory` and resolves with its URL once it answers. */
export async function startPrivateRedis(program, directory, logPath) {
  const { url, options } = await address(directory);
  const configuration = join(directory, 'redis.conf');
  // In a file of this user's alone: others see a process's arguments.
  writeFileSync(configuration, [...COMMON, `dir ${directory}`, ...options, ''].join('\n'), { mode: 0o600 });
  const redis = new Supervised('redis', program, [configuration], { env: process.env, logPath });
  const limit = Date.now() + START_LIMIT_MS;
  for (;;) {
    if ((await redisProblem(url)) === undefined) return { redis, url };
    if (!redis.running || Date.now() > limit) {
      redis.kill();
      throw new Failure(`${program} does not start: ${redis.lastLines().at(-1) ?? (await redis.ended)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function address(directory) {
  const socket = join(directory, 'redis.sock');
  if (process.platform !== 'win32' && Buffer.byteLength(socket) <= LONGEST_SOCKET_PATH)
    return { url: `unix://${socket}`, options: ['port 0', `unixsocket ${socket}`, 'unixsocketperm 700'] };
  const port = await anyFreePort('127.0.0.1');
  const password = randomBytes(24).toString('hex');
  return {
    url: `redis://:${password}@127.0.0.1:${port}`,
    options: ['bind 127.0.0.1', `port ${port}`, `requirepass ${password}`],
  };
}
