// The bus of a cluster that lives in one process: the same rules as Redis, kept in maps that die with it.
import type { Rng } from '../ops/clock.ts';
import {
  type Bus,
  type CasResult,
  type Entry,
  type TableSnapshot,
  type TableWrite,
  TOMBSTONES_KEPT,
  type Unsubscribe,
} from './bus.ts';

type Stored = Entry & { readonly revision: number };
type Table = { readonly generation: string; revision: number; readonly entries: Map<string, Stored> };

/** A bus for all services of one process. */
export class InProcessBus implements Bus {
  readonly #rng: Rng;
  readonly #tables = new Map<string, Table>();
  readonly #snapshots = new Map<string, Map<string, string>>();
  readonly #listeners = new Map<string, Set<(message: string) => void>>();

  constructor(rng: Rng) {
    this.#rng = rng;
  }

  async publish(channel: string, message: string): Promise<void> {
    // Like a network: never before the caller goes on, and one listener's failure is not another's.
    for (const listener of this.#listeners.get(channel) ?? []) queueMicrotask(() => listener(message));
  }

  async subscribe(channel: string, listener: (message: string) => void): Promise<Unsubscribe> {
    // A wrapper of its own, so that the same function can be subscribed twice.
    const own = (message: string): void => listener(message);
    const all = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, all.add(own));
    return async () => {
      all.delete(own);
    };
  }

  async countSubscribers(channel: string): Promise<number> {
    return this.#listeners.get(channel)?.size ?? 0;
  }

  async readTable(name: string): Promise<TableSnapshot> {
    const table = this.#tables.get(name);
    if (table === undefined) return { generation: '', revision: 0, entries: new Map() };
    const entries = new Map([...table.entries].map(([key, { version, value }]) => [key, { version, value }]));
    return { generation: table.generation, revision: table.revision, entries };
  }

  async readRevision(name: string): Promise<{ readonly generation: string; readonly revision: number }> {
    const table = this.#tables.get(name);
    return { generation: table?.generation ?? '', revision: table?.revision ?? 0 };
  }

  async compareAndSet(name: string, writes: readonly TableWrite[]): Promise<CasResult> {
    const known = this.#tables.get(name)?.entries;
    const stale = writes.some(
      ({ key, expectedVersion }) => (known?.get(key)?.version ?? 0) !== expectedVersion,
    );
    if (stale) return { done: false, current: currentOf(writes, known ?? new Map()) };
    const table = this.#tableForWriting(name);
    table.revision += 1;
    const versions = writes.map(({ key, expectedVersion, value }) => {
      const version = expectedVersion === 0 ? table.revision : expectedVersion + 1;
      table.entries.set(key, { version, value, revision: table.revision });
      return version;
    });
    forgetOldTombstones(table);
    return { done: true, generation: table.generation, revision: table.revision, versions };
  }

  async restore(name: string, key: string, entry: Entry): Promise<boolean> {
    const known = this.#tables.get(name)?.entries.get(key);
    if (known !== undefined && known.version >= entry.version) return false;
    const table = this.#tableForWriting(name);
    table.revision = Math.max(table.revision + 1, entry.version);
    table.entries.set(key, { ...entry, revision: table.revision });
    forgetOldTombstones(table);
    return true;
  }

  async putSnapshot(hash: string, key: string, value: string): Promise<void> {
    const all = this.#snapshots.get(hash) ?? new Map<string, string>();
    this.#snapshots.set(hash, all.set(key, value));
  }

  async readSnapshot(hash: string): Promise<ReadonlyMap<string, string>> {
    return new Map(this.#snapshots.get(hash));
  }

  isUp(): boolean {
    return true;
  }

  async close(): Promise<void> {
    this.#listeners.clear();
  }

  #tableForWriting(name: string): Table {
    let table = this.#tables.get(name);
    if (table === undefined) {
      table = { generation: this.#rng.bytes(12).toString('hex'), revision: 0, entries: new Map() };
      this.#tables.set(name, table);
    }
    return table;
  }
}

function currentOf(
  writes: readonly TableWrite[],
  known: ReadonlyMap<string, Stored>,
): ReadonlyMap<string, Entry> {
  const current = new Map<string, Entry>();
  for (const { key } of writes) {
    const stored = known.get(key);
    if (stored !== undefined) current.set(key, { version: stored.version, value: stored.value });
  }
  return current;
}

function forgetOldTombstones(table: Table): void {
  const dead = [...table.entries].filter(([, { value }]) => value === null);
  dead.sort(([, a], [, b]) => a.revision - b.revision);
  for (const [key] of dead.slice(0, Math.max(0, dead.length - TOMBSTONES_KEPT))) table.entries.delete(key);
}
