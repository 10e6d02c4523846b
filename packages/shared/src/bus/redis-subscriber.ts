// Who hears which channel: keeps the wanted channels itself and asks for them anew at every connect.
import type { Redis } from 'ioredis';
import type { BoundedWarnings } from '../ops/bounded-warnings.ts';
import { describeCause } from '../ops/describe-cause.ts';
import type { Unsubscribe } from './bus.ts';

/** The subscriptions of one process, all on one connection of their own. */
export class RedisSubscriber {
  readonly #client: Redis;
  readonly #warnings: BoundedWarnings;
  readonly #listeners = new Map<string, Set<(message: string) => void>>();

  constructor(client: Redis, warnings: BoundedWarnings) {
    this.#client = client;
    this.#warnings = warnings;
    client.on('ready', () => void this.#ask([...this.#listeners.keys()]));
    client.on('message', (channel: string, message: string) => this.#deliver(channel, message));
  }

  async subscribe(channel: string, listener: (message: string) => void): Promise<Unsubscribe> {
    // A wrapper of its own, so that the same function can be subscribed twice.
    const own = (message: string): void => listener(message);
    const known = this.#listeners.get(channel);
    if (known === undefined) {
      this.#listeners.set(channel, new Set([own]));
      await this.#ask([channel]);
    } else known.add(own);
    return () => this.#unsubscribe(channel, own);
  }

  async #unsubscribe(channel: string, own: (message: string) => void): Promise<void> {
    const all = this.#listeners.get(channel);
    if (all?.delete(own) !== true || all.size > 0) return;
    this.#listeners.delete(channel);
    // A failure leaves a channel nobody listens to until the next connect.
    if (this.#client.status === 'ready') await this.#client.unsubscribe(channel).catch(() => undefined);
  }

  async #ask(channels: readonly string[]): Promise<void> {
    if (channels.length === 0 || this.#client.status !== 'ready') return;
    try {
      await this.#client.subscribe(...channels);
    } catch (error) {
      this.#warnings.warn(
        'subscribe',
        { channels, cause: describeCause(error) },
        'Redis subscription failed',
      );
      // Whether it was heard is unknown: a new connection asks again.
      this.#client.disconnect(true);
    }
  }

  #deliver(channel: string, message: string): void {
    for (const listener of this.#listeners.get(channel) ?? []) {
      try {
        listener(message);
      } catch (error) {
        this.#warnings.warn(
          `listener ${channel}`,
          { channel, cause: describeCause(error) },
          'a bus message was not handled',
        );
      }
    }
  }
}
