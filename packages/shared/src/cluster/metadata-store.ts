// Every index of the cluster as this process knows it, and the one way to change one: read, decide, compare-and-set, again if others were faster.
import { type Bus, CHANNELS, type Entry, TABLES, type TableWrite } from '../bus/bus.ts';
import { FollowedTable } from '../bus/follow-table.ts';
import type { TableStorage } from '../bus/table-storage.ts';
import { untilWon } from '../bus/until-won.ts';
import { Batches } from '../ops/batches.ts';
import { BoundedWarnings, type WarningLog } from '../ops/bounded-warnings.ts';
import type { Clock, Rng, Timers } from '../ops/clock.ts';
import { describeCause } from '../ops/describe-cause.ts';
import { toWeirError, WeirError } from '../ops/errors.ts';
import { type IndexMetadata, indexMetadataSchema } from './index-metadata.ts';

export type MetadataStoreOptions = {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly rng: Rng;
  readonly log: WarningLog;
  /** Keeps the indices over a restart of everything; data nodes have one. */
  readonly storage?: TableStorage;
  readonly pollMs?: number;
};

/** Indices that came, changed or went (undefined), by name. */
export type ChangedIndices = ReadonlyMap<string, IndexMetadata | undefined>;

/** What an index becomes; undefined: it is not there, or is to go. Runs again when another process was faster. */
type Next = (current: IndexMetadata | undefined) => IndexMetadata | undefined;

export class MetadataStore {
  readonly #table: FollowedTable;
  readonly #warnings: BoundedWarnings;
  readonly #indices = new Map<string, IndexMetadata>();
  readonly #listeners = new Set<(changed: ChangedIndices) => void>();
  readonly #options: MetadataStoreOptions;
  readonly #batches: Batches<Next>;
  #sorted: readonly IndexMetadata[] | undefined;

  constructor(options: MetadataStoreOptions) {
    this.#options = options;
    this.#batches = new Batches((name, changes) => this.#write(name, changes));
    this.#warnings = new BoundedWarnings(options.log, options.clock);
    this.#table = new FollowedTable({
      ...options,
      table: TABLES.indices,
      channel: CHANNELS.metadata,
      outranks: isOlder,
      onChange: (changed) => this.#apply(changed),
    });
  }

  /** Loads what is kept, reads the bus, gives back what it lost, and follows it. Resolves also while the bus is down. */
  start(): Promise<void> {
    return this.#table.start();
  }

  close(): Promise<void> {
    return this.#table.close();
  }

  get(name: string): IndexMetadata | undefined {
    return this.#indices.get(name);
  }

  /** Whether the deletion of this very index is known. One that is merely absent, or whose name another has, may be one that the bus has lost. */
  isDeleted(name: string, uuid: string): boolean {
    return this.#table.get(deletionKey(name, uuid)) !== undefined;
  }

  /** Every index, in order of names. */
  all(): readonly IndexMetadata[] {
    this.#sorted ??= [...this.#indices.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    return this.#sorted;
  }

  /** Whether the bus has been read since the start. */
  isSynced(): boolean {
    return this.#table.isSynced();
  }

  /** Calls `listener` after every change, until the returned function is called. */
  onChange(listener: (changed: ChangedIndices) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Makes an index; throws resource_already_exists where there is one of the name. */
  async create(metadata: IndexMetadata): Promise<IndexMetadata> {
    await this.#batches.add(metadata.name, (current) => (current === undefined ? metadata : exists(current)));
    return metadata;
  }

  /**
   * Changes an index: `next` gets the newest metadata and returns what it becomes, or the very same object for no change; it has to be pure, as it
   * runs again when another process was faster. When this resolves, the process has the change, on its disk too if it has one. Throws
   * index_not_found, and `unavailable` when the bus cannot be reached: whether the change was made is then unknown.
   */
  async change(name: string, next: (current: IndexMetadata) => IndexMetadata): Promise<IndexMetadata> {
    await this.#batches.add(name, (current) => next(current ?? missing(name)));
    return this.#indices.get(name) ?? missing(name);
  }

  /** Deletes an index; throws index_not_found. */
  async delete(name: string): Promise<void> {
    await this.#batches.add(name, (current) => (current === undefined ? missing(name) : undefined));
  }

  /** Reads the bus soon: an answer showed that what is known here is old. */
  refreshSoon(): void {
    this.#table.syncSoon();
  }

  /** Reads the bus now; rejects when it cannot be reached. */
  refresh(): Promise<void> {
    return this.#table.sync();
  }

  /** Resolves when everything known so far is on this process's disk; at once where it keeps nothing. */
  whenSaved(): Promise<void> {
    return this.#table.whenSaved();
  }

  /** Makes all changes that wait for an index in one write: a lost node concerns many of its shards at once. */
  #write(name: string, changes: readonly Next[]): Promise<readonly (WeirError | undefined)[]> {
    return untilWon(`index [${name}]`, this.#options, async () => {
      const before = this.#indices.get(name);
      let after = before;
      const failures = changes.map((next) => {
        try {
          after = next(after);
          return undefined;
        } catch (error) {
          return toWeirError(error);
        }
      });
      if (after === before) return failures;
      const writes = [this.#writeOf(name, after === undefined ? null : JSON.stringify(after))];
      if (before !== undefined && before.uuid !== after?.uuid)
        writes.push(this.#writeOf(deletionKey(name, before.uuid), null));
      const { done } = await this.#table.write(writes);
      return done ? failures : undefined;
    });
  }

  #writeOf(key: string, value: string | null): TableWrite {
    return { key, expectedVersion: this.#table.get(key)?.version ?? 0, value };
  }

  #apply(changed: ReadonlyMap<string, Entry>): void {
    const indices = new Map<string, IndexMetadata | undefined>();
    for (const [key, entry] of changed) {
      const name = nameIn(key);
      // The deletion of one index changes nothing of its name; who holds its copies hears of it all the same.
      if (name !== key || this.#take(name, entry)) indices.set(name, this.#indices.get(name));
    }
    this.#sorted = undefined;
    for (const listener of this.#listeners) this.#tell(listener, indices);
  }

  /** False where it cannot be read: what was known stays. */
  #take(name: string, { value }: Entry): boolean {
    if (value === null) {
      this.#indices.delete(name);
      return true;
    }
    const metadata = parseIndex(name, value);
    if (metadata === undefined)
      this.#warnings.warn(
        `index ${name}`,
        { index: name },
        'the metadata of an index cannot be read and is ignored',
      );
    else this.#indices.set(name, metadata);
    return metadata !== undefined;
  }

  /** One that fails keeps the news from none of the others. */
  #tell(listener: (changed: ChangedIndices) => void, changed: ChangedIndices): void {
    try {
      listener(changed);
    } catch (error) {
      this.#warnings.warn('listener', { cause: describeCause(error) }, 'changed indices were not taken over');
    }
  }
}

/** Where the deletion of one very index is noted, beside that of its name, which others may take; no name has a slash. */
function deletionKey(name: string, uuid: string): string {
  return `${name}/${uuid}`;
}

function nameIn(key: string): string {
  return key.split('/', 1)[0] ?? key;
}

/**
 * Two indices took one name in the same version: the bus had lost the first when the second was made. The older one has the longer history of
 * acknowledged documents, so it keeps the name; no file of either is thrown away, since neither was deleted.
 */
function isOlder(known: string, incoming: string): boolean {
  const [a, b] = [readIndex(known), readIndex(incoming)];
  if (a === undefined || b === undefined || a.uuid === b.uuid) return false;
  if (a.created_wall_ms !== b.created_wall_ms) return a.created_wall_ms < b.created_wall_ms;
  return a.uuid < b.uuid;
}

function parseIndex(name: string, text: string): IndexMetadata | undefined {
  const metadata = readIndex(text);
  return metadata?.name === name && metadata.shards.length === metadata.number_of_shards
    ? metadata
    : undefined;
}

function readIndex(text: string): IndexMetadata | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  return indexMetadataSchema.safeParse(json).data;
}

function exists({ name, uuid }: IndexMetadata): never {
  throw new WeirError('resource_already_exists', `index [${name}/${uuid}] already exists`, {
    fields: { index: name, index_uuid: uuid },
  });
}

function missing(name: string): never {
  throw new WeirError('index_not_found', `no such index [${name}]`, {
    fields: { index: name, 'resource.type': 'index_or_alias', 'resource.id': name, index_uuid: '_na_' },
  });
}
