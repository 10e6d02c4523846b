// Every index of the cluster as this process knows it, and the one way to change one: read, decide, compare-and-set, again if others were faster.
import { type Bus, CHANNELS, type Entry, TABLES } from '../bus/bus.ts';
import { FollowedTable } from '../bus/follow-table.ts';
import { describeCause } from '../bus/redis-client.ts';
import type { TableStorage } from '../bus/table-storage.ts';
import { BoundedWarnings, type WarningLog } from '../ops/bounded-warnings.ts';
import type { Clock, Timers } from '../ops/clock.ts';
import { WeirError } from '../ops/errors.ts';
import { type IndexMetadata, indexMetadataSchema } from './index-metadata.ts';

export type MetadataStoreOptions = {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: WarningLog;
  /** Keeps the indices over a restart of everything; data nodes have one. */
  readonly storage?: TableStorage;
  readonly pollMs?: number;
};

/** Indices that came, changed or went (undefined), by name. */
export type ChangedIndices = ReadonlyMap<string, IndexMetadata | undefined>;

/** Writers of the same moment meet at the compare-and-set: each loss means that another one won. */
const MAX_ATTEMPTS = 100;

export class MetadataStore {
  readonly #table: FollowedTable;
  readonly #warnings: BoundedWarnings;
  readonly #indices = new Map<string, IndexMetadata>();
  readonly #listeners = new Set<(changed: ChangedIndices) => void>();
  #sorted: readonly IndexMetadata[] | undefined;

  constructor(options: MetadataStoreOptions) {
    this.#warnings = new BoundedWarnings(options.log, options.clock);
    this.#table = new FollowedTable({
      ...options,
      table: TABLES.indices,
      channel: CHANNELS.metadata,
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
    return this.#write(metadata.name, (current) => {
      if (current !== undefined)
        throw new WeirError(
          'resource_already_exists',
          `index [${current.name}/${current.uuid}] already exists`,
          { fields: { index: current.name, index_uuid: current.uuid } },
        );
      return metadata;
    });
  }

  /**
   * Changes an index: `next` gets the newest metadata and returns what it becomes, or the very same object for no change; it runs again when
   * another process was faster. When it resolves, this process has the change, on its disk too if it has one. Throws index_not_found, and
   * `unavailable` when the bus cannot be reached: whether the change was made is then unknown.
   */
  async change(name: string, next: (current: IndexMetadata) => IndexMetadata): Promise<IndexMetadata> {
    return this.#write(name, (current) => next(current ?? missing(name)));
  }

  /** Deletes an index; throws index_not_found. */
  async delete(name: string): Promise<void> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      if (!this.#indices.has(name)) missing(name);
      if (await this.#put(name, null)) return;
    }
    throw contended(name);
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

  async #write(
    name: string,
    next: (current: IndexMetadata | undefined) => IndexMetadata,
  ): Promise<IndexMetadata> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const current = this.#indices.get(name);
      const wanted = next(current);
      if (wanted === current || (await this.#put(name, JSON.stringify(wanted)))) return wanted;
    }
    throw contended(name);
  }

  /** False when another process was faster; then its change is known here. */
  async #put(name: string, value: string | null): Promise<boolean> {
    const expectedVersion = this.#table.get(name)?.version ?? 0;
    const result = await this.#table.write([{ key: name, expectedVersion, value }]);
    if (!result.done) await this.#table.sync();
    return result.done;
  }

  #apply(changed: ReadonlyMap<string, Entry>): void {
    const indices = new Map<string, IndexMetadata | undefined>();
    for (const [name, { value }] of changed) {
      const metadata = value === null ? undefined : parseIndex(name, value);
      if (value !== null && metadata === undefined) {
        this.#warnings.warn(
          `index ${name}`,
          { index: name },
          'the metadata of an index cannot be read and is ignored',
        );
        continue;
      }
      if (metadata === undefined) this.#indices.delete(name);
      else this.#indices.set(name, metadata);
      indices.set(name, metadata);
    }
    this.#sorted = undefined;
    for (const listener of this.#listeners) this.#tell(listener, indices);
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

function parseIndex(name: string, text: string): IndexMetadata | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const metadata = indexMetadataSchema.safeParse(json).data;
  return metadata?.name === name && metadata.shards.length === metadata.number_of_shards
    ? metadata
    : undefined;
}

function missing(name: string): never {
  throw new WeirError('index_not_found', `no such index [${name}]`, {
    fields: { index: name, 'resource.type': 'index_or_alias', 'resource.id': name, index_uuid: '_na_' },
  });
}

function contended(name: string): WeirError {
  return new WeirError(
    'unavailable',
    `index [${name}] was changed by others ${MAX_ATTEMPTS} times meanwhile`,
  );
}
