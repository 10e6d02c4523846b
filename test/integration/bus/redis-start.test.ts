import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectRedisBus, type WeirError } from '@weir/shared';
import { type RealRedis, startRealRedis } from '../../support/real-redis.ts';
import { recordedWarnings, redisPorts } from '../../support/redis-ports.ts';

let redis: RealRedis;
beforeAll(async () => {
  redis = await startRealRedis();
});
afterAll(() => redis.stop());

const connect = async (url: string): Promise<WeirError | undefined> => {
  try {
    const bus = await connectRedisBus({ ...redisPorts(recordedWarnings()), url, cluster: 'c' });
    await bus.close();
    return undefined;
  } catch (error) {
    return error as WeirError;
  }
};

describe('starting with Redis', () => {
  it('works over a unix socket', async () => {
    expect(await connect(redis.url)).toBeUndefined();
  });

  it('that is not there fails with one line that names the address, the cause and what to do', async () => {
    const error = await connect('redis://127.0.0.1:1');
    expect([error?.code, error?.message]).toEqual([
      'config',
      'cannot use Redis at [redis://127.0.0.1:1]: connect ECONNREFUSED 127.0.0.1:1; start it there or correct weir.redis.url',
    ]);
    expect((await connect('/nowhere/redis.sock'))?.message).toContain('ENOENT');
  });

  it('that is not reachable by name fails the same way', async () => {
    expect(await connect('redis://nowhere.invalid:6379')).toMatchObject({ code: 'config' });
  });

  it('that is frozen fails within seconds', async () => {
    process.kill(redis.pid, 'SIGSTOP');
    const startMs = performance.now();
    const error = await connect(redis.url);
    process.kill(redis.pid, 'SIGCONT');
    expect(error?.code).toBe('config');
    expect(performance.now() - startMs).toBeLessThan(5_000);
  });

  it('that answers late at first is waited for', async () => {
    process.kill(redis.pid, 'SIGSTOP');
    const connecting = connect(redis.url);
    // Longer than any single command may take.
    await sleep(800);
    process.kill(redis.pid, 'SIGCONT');
    expect(await connecting).toBeUndefined();
  });

  it('C106: with a wrong password fails with the reason and without the password', async () => {
    const tcp = await freePort();
    await redis.admin.config('SET', 'port', String(tcp));
    await redis.admin.config('SET', 'requirepass', 'right');
    const error = await connect(`redis://:wr0ng@127.0.0.1:${tcp}`);
    const right = await connect(`redis://:right@127.0.0.1:${tcp}`);
    const none = await connect(`redis://127.0.0.1:${tcp}`);
    await redis.admin.config('SET', 'requirepass', '');
    expect(error?.message).toMatch(/^cannot use Redis at \[redis:\/\/\*\*\*@127\.0\.0\.1:\d+\]: WRONGPASS/);
    expect(JSON.stringify({ ...error, message: error?.message, cause: error?.cause })).not.toContain('wr0ng');
    expect(right).toBeUndefined();
    expect(none?.message).toContain('NOAUTH');
  });
});

async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
