// How a connection to Redis behaves when Redis does not: every command ends within a bound, reconnecting never ends.
import { once } from 'node:events';
import { Redis } from 'ioredis';
import type { BoundedWarnings, WarningLog } from '../ops/bounded-warnings.ts';
import type { Clock, Rng, Timers } from '../ops/clock.ts';
import { describeCause } from '../ops/describe-cause.ts';
import { WeirError } from '../ops/errors.ts';
import type { RedisAddress } from './redis-address.ts';

export type RedisPorts = {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly rng: Rng;
  readonly log: WarningLog;
};

/** A frozen Redis keeps its connection and looks ready: only a limit on each command tells. */
const COMMAND_TIMEOUT_MS = 300;
const CONNECT_TIMEOUT_MS = 1_000;
/** Readiness at start, both connections together. */
const START_LIMIT_MS = 3_000;
const RECONNECT_FIRST_MS = 50;
const RECONNECT_CAP_MS = 500;

/** Wait before reconnect attempt `attempt` (from 1): doubles up to a cap, spread ± 25 % so that a cluster does not return in step. */
export function reconnectDelayMs(attempt: number, chance: number): number {
  const base = Math.min(RECONNECT_CAP_MS, RECONNECT_FIRST_MS * 2 ** (attempt - 1));
  return Math.round(base * (0.75 + chance / 2));
}

/** A client that is not connected yet; its errors are warned of at a bounded rate. */
export function redisClient(address: RedisAddress, ports: RedisPorts, warnings: BoundedWarnings): Redis {
  const client = new Redis(address.target, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    disconnectTimeout: COMMAND_TIMEOUT_MS,
    // A command nobody waits for any more must not run after a reconnect: a write would come as a surprise.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    autoResubscribe: false,
    retryStrategy: (attempt) => reconnectDelayMs(attempt, ports.rng.next()),
    // After a failover the old primary answers READONLY for ever: the name may lead to the new one by now.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  });
  // The message only: ioredis hangs the arguments of the command on its errors, a password among them.
  client.on('error', (error: Error) =>
    warnings.warn(
      'connection',
      { redis: address.shown, cause: describeCause(error) },
      'Redis connection failed',
    ),
  );
  return client;
}

/** Connects all clients, or throws one WeirError('config') that says what to do. */
export async function connectAll(
  clients: readonly Redis[],
  address: RedisAddress,
  timers: Timers,
): Promise<void> {
  let cancel = (): void => undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    cancel = timers.after(START_LIMIT_MS, () => reject(new Error(`no answer within ${START_LIMIT_MS} ms`)));
  });
  try {
    await Promise.race([Promise.all(clients.map(connectOne)), tooLate]);
  } catch (error) {
    for (const client of clients) client.disconnect();
    throw new WeirError(
      'config',
      `cannot use Redis at [${address.shown}]: ${describeCause(error)}; start it there or correct weir.redis.url`,
    );
  } finally {
    cancel();
  }
}

/** On a busy machine a process that starts may itself be too late to see an answer that came in time: it asks again until the start is given up. */
async function connectOne(client: Redis): Promise<void> {
  // connect() says only "Connection is closed."; the reason comes as an event before it.
  let reason: unknown;
  const remember = (error: Error): void => {
    reason ??= error;
  };
  client.on('error', remember);
  try {
    for (let answered = false; !answered; ) {
      reason = undefined;
      answered = await isAnswering(client).catch((error: unknown) => {
        const cause = reason ?? error;
        if (isLate(cause)) return false;
        throw cause;
      });
    }
  } finally {
    client.off('error', remember);
  }
}

async function isAnswering(client: Redis): Promise<true> {
  if (client.status === 'wait') await client.connect();
  // It connects again by itself.
  else if (client.status !== 'ready') await once(client, 'ready');
  await client.ping();
  return true;
}

function isLate(cause: unknown): boolean {
  return cause instanceof Error && cause.message === 'Command timed out';
}
