// The settings of the cluster at this process: what counts now, who hears of changes, and how they are written.
import { type Bus, CHANNELS, type Entry, TABLES, type TableWrite, type Unsubscribe } from '../bus/bus.ts';
import { FollowedTable } from '../bus/follow-table.ts';
import type { TableStorage } from '../bus/table-storage.ts';
import { untilWon } from '../bus/until-won.ts';
import { BoundedWarnings, type WarningLog } from '../ops/bounded-warnings.ts';
import type { Clock, Rng, Timers } from '../ops/clock.ts';
import { describeCause } from '../ops/describe-cause.ts';
import { WeirError } from '../ops/errors.ts';
import { OneAtATime } from '../ops/one-at-a-time.ts';
import type { EffectiveSettings } from './effective-settings.ts';
import { buildEffectiveSettings } from './effective-settings-builder.ts';
import { type ChangedSettings, changeSettings } from './settings-change.ts';
import {
  EMPTY_DOCUMENT,
  nextDocument,
  readEntry,
  SETTINGS_ENTRIES,
  type SettingsDocument,
  writeEntry,
} from './settings-document.ts';
import type { FlatSettings, SettingsLayers } from './settings-layers.ts';
import { holdTransient } from './transient-life.ts';

export type SettingsStoreOptions = {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly rng: Rng;
  readonly log: WarningLog;
  /** Settings of this process's configuration file; checked at start. */
  readonly file?: FlatSettings;
  /** Keeps the persistent settings over a restart of everything; data nodes have one. */
  readonly storage?: TableStorage;
  readonly pollMs?: number;
};

export type ChangeOptions = {
  /** Who changes, for the history. */
  readonly author: string;
  /** Refuse (409) unless this is the version changed. */
  readonly ifVersion?: number | undefined;
  /** Check and tell what would change, without changing it. */
  readonly dryRun?: boolean | undefined;
};

export type SettingsResult = Pick<ChangedSettings, 'requested' | 'changes'> & {
  /** Version after the change; of a dry run, the version it was tried on. */
  readonly version: number;
};

export class SettingsStore {
  readonly #options: SettingsStoreOptions;
  readonly #table: FollowedTable;
  readonly #warnings: BoundedWarnings;
  readonly #listeners = new Set<(settings: EffectiveSettings) => void>();
  readonly #turns = new OneAtATime();
  #document: SettingsDocument = EMPTY_DOCUMENT;
  #effective: EffectiveSettings;
  #release: Unsubscribe | undefined;

  constructor(options: SettingsStoreOptions) {
    this.#options = options;
    this.#warnings = new BoundedWarnings(options.log, options.clock);
    this.#table = new FollowedTable({
      ...options,
      table: TABLES.settings,
      channel: CHANNELS.settings,
      stored: (key) => key !== SETTINGS_ENTRIES.transient,
      onChange: (changed) => this.#apply(changed),
    });
    this.#effective = this.#build();
  }

  /** Loads what is kept, reads the bus and follows it. Resolves also while the bus is down: then with what the disk and the file say. */
  async start(): Promise<void> {
    await this.#table.start();
    const { bus, timers } = this.#options;
    this.#release = await holdTransient(
      bus,
      timers,
      () => this.#document.transient.size > 0,
      () => this.#dropTransient(),
    ).catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.#release?.();
    await this.#table.close();
  }

  /** What counts now: one immutable snapshot. */
  current(): EffectiveSettings {
    return this.#effective;
  }

  /** What is stored, with its history. */
  document(): SettingsDocument {
    return this.#document;
  }

  layers(): SettingsLayers {
    const { persistent, transient } = this.#document;
    return { persistent, transient, file: this.#options.file ?? new Map() };
  }

  /** Calls `listener` after every change with the new settings, until the returned function is called. */
  onChange(listener: (settings: EffectiveSettings) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Changes settings as a request body says, all or nothing; when it resolves they count here and are on their way to every process. */
  change(body: unknown, options: ChangeOptions): Promise<SettingsResult> {
    // Changes of this process would only get in each other's way.
    return this.#turns.run(() => this.#change(body, options));
  }

  async #change(body: unknown, options: ChangeOptions): Promise<SettingsResult> {
    // A version is compared with the newest one, not with what was heard so far.
    if (options.ifVersion !== undefined) await this.#table.sync();
    return untilWon('the settings document', this.#options, async () => {
      const before = this.#document;
      if (options.ifVersion !== undefined && options.ifVersion !== before.version)
        throw new WeirError(
          'settings_conflict',
          `settings version conflict, current version [${before.version}] is different than the one provided [${options.ifVersion}]`,
        );
      const changed = changeSettings(this.layers(), body);
      const { requested, changes } = changed;
      if (options.dryRun === true || changes.length === 0)
        return { requested, changes, version: before.version };
      const after = nextDocument(before, changed, options.author, this.#options.clock.wallMs());
      return (await this.#write(after)) ? { requested, changes, version: after.version } : undefined;
    });
  }

  /** Writes the document as one change; false when another process was faster: then its change is known here. */
  async #write(document: SettingsDocument): Promise<boolean> {
    // All entries, changed or not: a refusal then brings the whole newest document with it.
    const writes = Object.values(SETTINGS_ENTRIES).map((key): TableWrite => {
      const expectedVersion = this.#table.get(key)?.version ?? 0;
      return { key, expectedVersion, value: writeEntry(key, document) };
    });
    return (await this.#table.write(writes)).done;
  }

  async #dropTransient(): Promise<void> {
    const { persistent, transient } = this.#document;
    const changes = [...transient].map(
      ([key, from]) => ({ scope: 'transient', key, from, to: null }) as const,
    );
    const changed = { persistent, transient: new Map<string, string>(), changes };
    const author = 'restart of all processes';
    await this.#write(nextDocument(this.#document, changed, author, this.#options.clock.wallMs()));
  }

  #apply(changed: ReadonlyMap<string, Entry>): void {
    let document = this.#document;
    for (const [key, entry] of changed) {
      const part = readEntry(key, entry);
      if (part === undefined)
        this.#warnings.warn(
          `entry ${key}`,
          { table: TABLES.settings, entry: key },
          'a settings entry cannot be read and is ignored',
        );
      document = { ...document, ...part };
    }
    this.#document = document;
    this.#effective = this.#build();
    for (const listener of this.#listeners) this.#tell(listener);
  }

  /** One that fails keeps the new settings from none of the others. */
  #tell(listener: (settings: EffectiveSettings) => void): void {
    try {
      listener(this.#effective);
    } catch (error) {
      this.#warnings.warn('listener', { cause: describeCause(error) }, 'new settings were not taken over');
    }
  }

  #build(): EffectiveSettings {
    const { settings, problems } = buildEffectiveSettings(this.layers(), this.#document.version);
    for (const problem of problems)
      this.#warnings.warn(problem, { problem }, 'a setting does not count as it stands');
    return settings;
  }
}
