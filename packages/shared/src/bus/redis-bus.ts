// The bus over Redis: pub/sub for the feed, one hash per table and per snapshot, every call bounded in time.
import type { Redis } from 'ioredis';
import { BoundedWarnings } from '../ops/bounded-warnings.ts';
import type { Rng } from '../ops/clock.ts';
import { describeCause } from '../ops/describe-cause.ts';
import { WeirError } from '../ops/errors.ts';
import type { Bus, CasResult, Entry, TableSnapshot, TableWrite, Unsubscribe } from './bus.ts';
import { parseRedisAddress } from './redis-address.ts';
import { connectAll, type RedisPorts, redisClient } from './redis-client.ts';
import { COMPARE_AND_SET, RESTORE } from './redis-scripts.ts';
import { RedisSubscriber } from './redis-subscriber.ts';
import { decodeEntries, decodeRevision, decodeTable, encodeValue } from './redis-table-codec.ts';

export type RedisBusOptions = RedisPorts & {
  /** `redis://`, `rediss://`, `unix://` or the path of a socket. */
  readonly url: string;
  /** Clusters of one Redis are told apart by this. */
  readonly cluster: string;
};

/** A published reading has a few kB; what is larger is none. */
const MAX_SNAPSHOT_VALUE_LENGTH = 1024 * 1024;

type Scripted = Redis & {
  weirCompareAndSet(key: string, ...args: string[]): Promise<(string | number)[]>;
  weirRestore(key: string, ...args: string[]): Promise<number>;
};

/** Connects to Redis; throws WeirError('config') with one clear line when it cannot be used. */
export async function connectRedisBus(options: RedisBusOptions): Promise<Bus> {
  const address = parseRedisAddress(options.url);
  const warnings = new BoundedWarnings(options.log, options.clock);
  const writer = redisClient(address, options, warnings) as Scripted;
  writer.defineCommand('weirCompareAndSet', { lua: COMPARE_AND_SET, numberOfKeys: 1 });
  writer.defineCommand('weirRestore', { lua: RESTORE, numberOfKeys: 1 });
  const hearer = redisClient(address, options, warnings);
  const bus = new RedisBus(writer, hearer, options, warnings);
  await connectAll([writer, hearer], address, options.timers);
  return bus;
}

class RedisBus implements Bus {
  readonly #writer: Scripted;
  readonly #hearer: Redis;
  readonly #subscriber: RedisSubscriber;
  readonly #warnings: BoundedWarnings;
  readonly #rng: Rng;
  readonly #prefix: string;
  #up = true;

  constructor(writer: Scripted, hearer: Redis, options: RedisBusOptions, warnings: BoundedWarnings) {
    this.#writer = writer;
    this.#hearer = hearer;
    this.#subscriber = new RedisSubscriber(hearer, warnings);
    this.#warnings = warnings;
    this.#rng = options.rng;
    this.#prefix = `weir:${options.cluster}:`;
  }

  async publish(channel: string, message: string): Promise<void> {
    await this.#ask('publish', () => this.#writer.publish(this.#name('channel', channel), message));
  }

  subscribe(channel: string, listener: (message: string) => void): Promise<Unsubscribe> {
    return this.#subscriber.subscribe(this.#name('channel', channel), listener);
  }

  async countSubscribers(channel: string): Promise<number> {
    const reply = await this.#ask('pubsub', () =>
      this.#writer.pubsub('NUMSUB', this.#name('channel', channel)),
    );
    return Number(reply[1]);
  }

  async readTable(table: string): Promise<TableSnapshot> {
    const key = this.#name('table', table);
    const fields = await this.#read(key, {}, () => this.#writer.hgetall(key));
    return decodeTable(fields, (field) => this.#foreign(key, field));
  }

  async readRevision(table: string): Promise<{ readonly generation: string; readonly revision: number }> {
    const key = this.#name('table', table);
    const [generation, revision] = await this.#read(key, [], () =>
      this.#writer.hmget(key, 'generation', 'revision'),
    );
    return { generation: generation ?? '', revision: decodeRevision(revision) };
  }

  async compareAndSet(table: string, writes: readonly TableWrite[]): Promise<CasResult> {
    const args = writes.flatMap(({ key, expectedVersion, value }) => [
      key,
      String(expectedVersion),
      ...encodeValue(value),
    ]);
    const [done, ...reply] = await this.#ask('compare-and-set', () =>
      this.#writer.weirCompareAndSet(this.#name('table', table), this.#freshGeneration(), ...args),
    );
    if (done !== 1) return { done: false, current: decodeEntries(reply) };
    const [generation, revision, ...versions] = reply;
    return {
      done: true,
      generation: String(generation),
      revision: Number(revision),
      versions: versions.map(Number),
    };
  }

  async restore(table: string, key: string, entry: Entry): Promise<boolean> {
    const written = await this.#ask('restore', () =>
      this.#writer.weirRestore(
        this.#name('table', table),
        this.#freshGeneration(),
        key,
        String(entry.version),
        ...encodeValue(entry.value),
      ),
    );
    return written === 1;
  }

  async putSnapshot(hash: string, key: string, value: string): Promise<void> {
    const name = this.#name('snapshot', hash);
    await this.#ask('put snapshot', async () => {
      try {
        await this.#writer.hset(name, key, value);
      } catch (error) {
        if (!isWrongType(error)) throw error;
        this.#foreign(name);
        await this.#writer.multi().del(name).hset(name, key, value).exec();
      }
    });
  }

  async readSnapshot(hash: string): Promise<ReadonlyMap<string, string>> {
    const name = this.#name('snapshot', hash);
    const all = new Map(
      Object.entries(await this.#read<Record<string, string>>(name, {}, () => this.#writer.hgetall(name))),
    );
    for (const [key, value] of all) {
      if (value.length <= MAX_SNAPSHOT_VALUE_LENGTH) continue;
      this.#foreign(name, key);
      all.delete(key);
    }
    return all;
  }

  isUp(): boolean {
    return this.#up;
  }

  async close(): Promise<void> {
    this.#writer.disconnect();
    this.#hearer.disconnect();
  }

  #name(kind: 'channel' | 'table' | 'snapshot', name: string): string {
    return `${this.#prefix}${kind}:${name}`;
  }

  #freshGeneration(): string {
    return this.#rng.bytes(12).toString('hex');
  }

  /** Reads `key`; a value of another type than ours is left alone and reads as `otherwise`. */
  #read<T>(key: string, otherwise: T, command: () => Promise<T>): Promise<T> {
    return this.#ask('read', async () => {
      try {
        return await command();
      } catch (error) {
        if (!isWrongType(error)) throw error;
        this.#foreign(key);
        return otherwise;
      }
    });
  }

  async #ask<T>(operation: string, command: () => Promise<T>): Promise<T> {
    try {
      const reply = await command();
      this.#up = true;
      return reply;
    } catch (error) {
      // An error reply is an answer all the same.
      this.#up = error instanceof Error && error.name === 'ReplyError';
      throw new WeirError('unavailable', `Redis did not do [${operation}]: ${describeCause(error)}`);
    }
  }

  #foreign(key: string, field?: string): void {
    const what = field === undefined ? { key } : { key, field };
    this.#warnings.warn(
      `foreign ${key} ${field ?? ''}`,
      what,
      'a foreign or broken value in Redis is ignored',
    );
  }
}

function isWrongType(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('WRONGTYPE');
}
