// How a process follows a versioned table: it hears of changes, polls in case it did not, and gives back what the bus lost.
import { BoundedWarnings, type WarningLog } from '../ops/bounded-warnings.ts';
import type { Cancel, Clock, Timers } from '../ops/clock.ts';
import { describeCause } from '../ops/describe-cause.ts';
import type { Bus, CasResult, Entry, TableWrite, Unsubscribe } from './bus.ts';
import { giveBack, overwrite } from './give-back.ts';
import { KnownEntries, type Outranks } from './known-entries.ts';
import { StoredCopy } from './stored-copy.ts';
import { formatTableMessage, parseTableMessage, type TableMessage } from './table-message.ts';
import type { StoredTable, TableStorage } from './table-storage.ts';

export type FollowOptions = {
  readonly bus: Bus;
  readonly table: string;
  /** Where changes of the table are told. */
  readonly channel: string;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: WarningLog;
  /** Keeps the entries over a restart; only data nodes have one. */
  readonly storage?: TableStorage;
  /** Which entries are kept there; all by default. */
  readonly stored?: (key: string) => boolean;
  readonly pollMs?: number;
  /** What becomes of two values of one version; without it the one on the bus stays. */
  readonly outranks?: Outranks;
  /** Hears every entry that changed, deletions (value null) too, and those loaded from disk. */
  readonly onChange: (changed: ReadonlyMap<string, Entry>) => void;
};

/** A lost message costs at most this and one read: well under 2 s. */
const POLL_MS = 1_000;

/**
 * A table as this process knows it. The entry of the higher version wins, wherever it comes from: message, read or disk. What the bus has lost (it
 * came up empty, or someone broke an entry) is put back from here, so the bus holds nothing that cannot be rebuilt (invariant I9).
 */
export class FollowedTable {
  readonly #options: FollowOptions;
  readonly #warnings: BoundedWarnings;
  readonly #known: KnownEntries;
  readonly #stored: StoredCopy | undefined;
  #seen: { generation: string; revision: number } | undefined;
  #storedGeneration: string | undefined;
  #reading: Promise<void> | undefined;
  /** The read that begins when the one under way has ended. */
  #nextRead: Promise<void> | undefined;
  #polling = false;
  #stops: (Unsubscribe | Cancel)[] = [];

  constructor(options: FollowOptions) {
    this.#options = options;
    this.#known = new KnownEntries(options.outranks);
    this.#warnings = new BoundedWarnings(options.log, options.clock);
    this.#stored =
      options.storage && new StoredCopy(options.storage, () => this.#tableToStore(), this.#warnings);
  }

  /** Loads from disk, reads the bus and follows it from then on. A bus that is down is only late. */
  async start(): Promise<void> {
    const { bus, channel, timers, storage, pollMs } = this.#options;
    const stored = await storage?.load();
    this.#storedGeneration = stored?.generation;
    if (stored !== undefined) this.#merge(stored.entries);
    this.#stops.push(await bus.subscribe(channel, (message) => this.#hear(message)));
    this.#stops.push(timers.every(pollMs ?? POLL_MS, () => void this.#poll()));
    await this.sync().catch(() => undefined);
  }

  async close(): Promise<void> {
    const stops = this.#stops;
    this.#stops = [];
    for (const stop of stops) await stop();
    await this.whenSaved().catch(() => undefined);
  }

  get(key: string): Entry | undefined {
    return this.#known.all().get(key);
  }

  entries(): ReadonlyMap<string, Entry> {
    return this.#known.all();
  }

  /** Whether the bus has been read since the start. */
  isSynced(): boolean {
    return this.#seen !== undefined;
  }

  /** Reads the table now; rejects when the bus cannot be reached. */
  sync(): Promise<void> {
    if (this.#reading === undefined) return this.#beginRead();
    // The read under way may have begun before what the caller wants to see; the one after it has not. Nobody waits for more than that one.
    this.#nextRead ??= this.#reading
      .catch(() => undefined)
      .then(() => {
        this.#nextRead = undefined;
        return this.#reading ?? this.#beginRead();
      });
    return this.#nextRead;
  }

  /** The same without waiting. */
  syncSoon(): void {
    this.sync().catch(() => undefined);
  }

  /**
   * Writes through the bus. When it resolves as done, this process has the change, on its disk too if it has one, and the others are told; when it
   * resolves as not done, what stood in the way is known here: decide anew and try again.
   */
  async write(writes: readonly TableWrite[]): Promise<CasResult> {
    const { bus, table, channel } = this.#options;
    // An emptied bus first gets back what is known here: a name must not start anew below its old version.
    if (this.#seen === undefined) await this.sync();
    const result = await bus.compareAndSet(table, writes);
    if (!result.done) {
      this.#merge(result.current);
      // Older there than here: the bus has lost something, and gets it back by a read.
      const isBehind = writes.some(
        ({ key }) => (result.current.get(key)?.version ?? 0) < (this.get(key)?.version ?? 0),
      );
      if (isBehind) await this.sync();
      return result;
    }
    const { generation, revision, versions } = result;
    const entries = new Map(
      writes.map(({ key, value }, index) => [key, { version: versions[index] ?? 0, value }]),
    );
    this.#merge(entries);
    const message = { generation, revision, entries };
    this.#apply(message);
    bus.publish(channel, formatTableMessage(message)).catch(() => undefined);
    await this.whenSaved();
    return result;
  }

  /** Resolves when everything known so far is on disk; at once where nothing is kept there. */
  async whenSaved(): Promise<void> {
    await this.#stored?.whenSaved();
  }

  #hear(text: string): void {
    const message = parseTableMessage(text);
    if (message === undefined) {
      const { channel } = this.#options;
      this.#warnings.warn('message', { channel }, 'a foreign message on a channel of ours is ignored');
    } else this.#apply(message);
  }

  /** Takes a change; where it does not follow directly on what is known here, the table is read. */
  #apply({ generation, revision, entries }: TableMessage): void {
    const seen = this.#seen;
    if (seen?.generation !== generation) {
      this.syncSoon();
      return;
    }
    if (revision <= seen.revision) return;
    if (entries !== undefined) this.#merge(entries);
    if (entries !== undefined && revision === seen.revision + 1) this.#seen = { generation, revision };
    else this.syncSoon();
  }

  async #poll(): Promise<void> {
    if (this.#polling) return;
    this.#polling = true;
    try {
      const now = await this.#options.bus.readRevision(this.#options.table);
      const seen = this.#seen;
      if (seen?.generation !== now.generation || seen.revision !== now.revision) await this.sync();
    } catch {
      // The bus itself warns that it is down; the next poll tries again.
    } finally {
      this.#polling = false;
    }
  }

  #beginRead(): Promise<void> {
    this.#reading = this.#readUntilWhole().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** Giving back what the bus had lost changes the revision, which is read anew rather than guessed. */
  async #readUntilWhole(): Promise<void> {
    while ((await this.#read()) > 0);
  }

  /** Reads once; tells how many lost entries were given back. */
  async #read(): Promise<number> {
    const { bus, table } = this.#options;
    const { generation, revision, entries } = await bus.readTable(table);
    this.#merge(entries);
    if ((this.#seen?.generation ?? this.#storedGeneration) === generation)
      this.#known.forgetDeletionsNotIn(entries);
    const restored =
      (await giveBack(bus, table, this.#known.missingFrom(entries))) +
      (await overwrite(bus, table, this.#known.outranking(entries)));
    if (restored > 0) {
      const what = 'the bus had lost entries of a table and has them back';
      this.#warnings.warn('restored', { table, entries: restored }, what);
    }
    if (this.#seen?.generation !== generation) this.#stored?.markChanged();
    this.#seen = { generation, revision };
    return restored;
  }

  #merge(incoming: ReadonlyMap<string, Entry>): void {
    const changed = this.#known.merge(incoming);
    if (changed.size === 0) return;
    this.#stored?.markChanged();
    try {
      this.#options.onChange(changed);
    } catch (error) {
      const { table } = this.#options;
      this.#warnings.warn(
        'listener',
        { table, cause: describeCause(error) },
        'a table change was not handled',
      );
    }
  }

  #tableToStore(): StoredTable {
    const { stored } = this.#options;
    const all = [...this.#known.all()];
    return {
      generation: this.#seen?.generation ?? this.#storedGeneration ?? '',
      entries: new Map(stored === undefined ? all : all.filter(([key]) => stored(key))),
    };
  }
}
