// A bus that fails on command: loses its memory, drops messages, cannot be reached; for tests of those who must bear it.
import type { Bus } from '../bus/bus.ts';
import { InProcessBus } from '../bus/in-process-bus.ts';
import type { Rng } from '../ops/clock.ts';
import { WeirError } from '../ops/errors.ts';

/** What several processes see of one bus; each can have its own, so that one loses a message and the other does not. */
export type UnreliableBus = Bus & {
  /** Messages to this process are lost while true. */
  dropsMessages: boolean;
  /** Every call of this process fails while true. */
  isDown: boolean;
};

/** The memory behind the buses of one cluster. */
export class BusMemory {
  readonly #rng: Rng;
  readonly #messages: InProcessBus;
  #tables: InProcessBus;

  constructor(rng: Rng) {
    this.#rng = rng;
    this.#messages = new InProcessBus(rng);
    this.#tables = new InProcessBus(rng);
  }

  /** Forgets all tables and snapshots, as a Redis without persistence does when it restarts. */
  lose(): void {
    this.#tables = new InProcessBus(this.#rng);
  }

  /** This memory as one process sees it. */
  bus(): UnreliableBus {
    const tables = async (): Promise<Bus> => {
      if (own.isDown) throw new WeirError('unavailable', 'the bus is down');
      return this.#tables;
    };
    const own: UnreliableBus = {
      dropsMessages: false,
      isDown: false,
      publish: async (channel, message) => {
        await tables();
        await this.#messages.publish(channel, message);
      },
      subscribe: (channel, listener) =>
        this.#messages.subscribe(channel, (message) => {
          if (!own.dropsMessages && !own.isDown) listener(message);
        }),
      countSubscribers: async (channel) => {
        await tables();
        return this.#messages.countSubscribers(channel);
      },
      readTable: async (table) => (await tables()).readTable(table),
      readRevision: async (table) => (await tables()).readRevision(table),
      compareAndSet: async (table, writes) => (await tables()).compareAndSet(table, writes),
      restore: async (table, key, entry) => (await tables()).restore(table, key, entry),
      putSnapshot: async (hash, key, value) => (await tables()).putSnapshot(hash, key, value),
      readSnapshot: async (hash) => (await tables()).readSnapshot(hash),
      isUp: () => !own.isDown,
      close: async () => undefined,
    };
    return own;
  }
}
