// Brings a table's newest entries to disk, one save at a time: what changes during a save goes with the next one.
import type { BoundedWarnings } from '../ops/bounded-warnings.ts';
import { describeCause } from '../ops/describe-cause.ts';
import type { StoredTable, TableStorage } from './table-storage.ts';

/** The disk's side of one followed table. */
export class StoredCopy {
  readonly #storage: TableStorage;
  readonly #current: () => StoredTable;
  readonly #warnings: BoundedWarnings;
  #dirty = false;
  #saving: Promise<void> | undefined;

  constructor(
    storage: TableStorage,
    /** What to save, asked for when a save begins. */
    current: () => StoredTable,
    warnings: BoundedWarnings,
  ) {
    this.#storage = storage;
    this.#current = current;
    this.#warnings = warnings;
  }

  /** Saves soon. */
  markChanged(): void {
    this.#dirty = true;
    this.whenSaved().catch((error: unknown) =>
      this.#warnings.warn('save', { cause: describeCause(error) }, 'a table could not be kept on disk'),
    );
  }

  /** Resolves when everything changed so far is on disk; rejects when it could not be written. */
  async whenSaved(): Promise<void> {
    // A save under way may have begun before the last change.
    while (this.#dirty || this.#saving !== undefined) {
      this.#saving ??= this.#save();
      await this.#saving;
    }
  }

  async #save(): Promise<void> {
    this.#dirty = false;
    try {
      await this.#storage.save(this.#current());
    } catch (error) {
      this.#dirty = true;
      throw error;
    } finally {
      this.#saving = undefined;
    }
  }
}
