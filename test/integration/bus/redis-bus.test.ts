import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Bus, connectRedisBus } from '@weir/shared';
import { eventually } from '../../support/eventually.ts';
import { type RealRedis, startRealRedis } from '../../support/real-redis.ts';
import { recordedWarnings, redisPorts } from '../../support/redis-ports.ts';
import { busContract } from './bus-contract.ts';

let redis: RealRedis;
beforeAll(async () => {
  redis = await startRealRedis();
});
afterAll(() => redis.stop());

const connect = (log = recordedWarnings()): Promise<Bus> =>
  connectRedisBus({ ...redisPorts(log), url: redis.url, cluster: 'c' });

busContract('the bus over Redis', async () => {
  await redis.admin.flushall();
  return connect();
});

describe('the bus over Redis', () => {
  let bus: Bus;
  let warnings: ReturnType<typeof recordedWarnings>;
  beforeEach(async () => {
    await redis.admin.flushall();
    warnings = recordedWarnings();
    bus = await connect(warnings);
  });
  afterEach(() => bus.close());

  it('keeps all of its keys under weir:<cluster>:', async () => {
    await bus.compareAndSet('t', [{ key: 'k', expectedVersion: 0, value: 'v' }]);
    await bus.putSnapshot('nodes', 'a', '1');
    expect((await redis.admin.keys('*')).sort()).toEqual(['weir:c:snapshot:nodes', 'weir:c:table:t']);
  });

  it('tells clusters of one Redis apart', async () => {
    const other = await connectRedisBus({ ...redisPorts(warnings), url: redis.url, cluster: 'other' });
    await bus.compareAndSet('t', [{ key: 'k', expectedVersion: 0, value: 'v' }]);
    expect((await other.readTable('t')).entries.size).toBe(0);
    await other.close();
  });

  it('C114: a foreign or broken value under a key of ours is ignored with one warning that names it', async () => {
    await bus.compareAndSet('t', [{ key: 'good', expectedVersion: 0, value: 'v' }]);
    await redis.admin.hset('weir:c:table:t', {
      'e:bad': 'not ours',
      stranger: '[]',
      'e:big': '99999999999999999999=x',
    });
    await redis.admin.hset('weir:c:snapshot:nodes', { big: 'x'.repeat(5_000_000), good: '1' });
    for (let time = 0; time < 3; time += 1) {
      expect([...(await bus.readTable('t')).entries.keys()]).toEqual(['good']);
      expect([...(await bus.readSnapshot('nodes')).keys()]).toEqual(['good']);
    }
    expect(warnings.lines.map(({ key, field }) => `${key} ${field}`).sort()).toEqual([
      'weir:c:snapshot:nodes big',
      'weir:c:table:t e:bad',
      'weir:c:table:t e:big',
      'weir:c:table:t stranger',
    ]);
  });

  it('C114: a key of another type reads as empty, is named, and the next write replaces it', async () => {
    await redis.admin.set('weir:c:table:t', 'not json');
    await redis.admin.lpush('weir:c:snapshot:nodes', 'x');
    expect(await bus.readTable('t')).toEqual({ generation: '', revision: 0, entries: new Map() });
    expect(await bus.readRevision('t')).toEqual({ generation: '', revision: 0 });
    expect(await bus.readSnapshot('nodes')).toEqual(new Map());
    expect(new Set(warnings.lines.map(({ key }) => key))).toEqual(
      new Set(['weir:c:table:t', 'weir:c:snapshot:nodes']),
    );
    expect(await bus.compareAndSet('t', [{ key: 'k', expectedVersion: 0, value: 'v' }])).toMatchObject({
      done: true,
    });
    await bus.putSnapshot('nodes', 'a', '1');
    expect((await bus.readTable('t')).entries.get('k')?.value).toBe('v');
    expect(await bus.readSnapshot('nodes')).toEqual(new Map([['a', '1']]));
  });

  it('C101, C109: every call on a frozen Redis fails within its limit, and works again afterwards', async () => {
    process.kill(redis.pid, 'SIGSTOP');
    const startMs = performance.now();
    const results = await Promise.allSettled([
      bus.publish('a', 'x'),
      bus.readTable('t'),
      bus.readRevision('t'),
      bus.compareAndSet('t', [{ key: 'k', expectedVersion: 0, value: 'v' }]),
      bus.putSnapshot('nodes', 'a', '1'),
    ]);
    const tookMs = performance.now() - startMs;
    const wasUp = bus.isUp();
    process.kill(redis.pid, 'SIGCONT');
    expect(results.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
    expect([tookMs < 1_000, wasUp]).toEqual([true, false]);
    await eventually(async () => (await bus.readTable('t').catch(() => undefined)) !== undefined);
    expect(bus.isUp()).toBe(true);
  });

  it('C099: leaves a primary that has become a read-only replica, and writes again when it can', async () => {
    await redis.admin.replicaof('127.0.0.1', '1');
    await expect(bus.putSnapshot('nodes', 'a', '1')).rejects.toThrow('READONLY');
    await redis.admin.replicaof('NO', 'ONE');
    await eventually(
      () =>
        bus.putSnapshot('nodes', 'a', '2').then(
          () => true,
          () => false,
        ),
      2_000,
    );
    expect(await bus.readSnapshot('nodes')).toEqual(new Map([['a', '2']]));
  });

  it('hears its channels again after Redis was killed and came back, and warns at a bounded rate meanwhile', async () => {
    const heard: string[] = [];
    await bus.subscribe('a', (message) => heard.push(message));
    await redis.kill();
    await eventually(() => warnings.lines.length > 0);
    await expect(bus.publish('a', 'lost')).rejects.toMatchObject({ code: 'unavailable' });
    const late: string[] = [];
    await bus.subscribe('late', (message) => late.push(message));
    await redis.restart();
    await eventually(async () => {
      await bus.publish('a', 'back').catch(() => undefined);
      await bus.publish('late', 'too').catch(() => undefined);
      return heard.length > 0 && late.length > 0;
    });
    expect([heard[0], late[0]]).toEqual(['back', 'too']);
    expect(warnings.lines.length).toBeLessThanOrEqual(3);
  });
});
