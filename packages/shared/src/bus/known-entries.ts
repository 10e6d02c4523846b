// What a process knows of a table's entries: the higher version wins, wherever it comes from.
import type { Entry } from './bus.ts';

/** Entries gathered from messages, reads and the disk. */
export class KnownEntries {
  readonly #entries = new Map<string, Entry>();

  all(): ReadonlyMap<string, Entry> {
    return this.#entries;
  }

  /** Takes what is newer than known and returns it. */
  merge(incoming: ReadonlyMap<string, Entry>): ReadonlyMap<string, Entry> {
    const changed = new Map<string, Entry>();
    for (const [key, entry] of incoming) {
      const known = this.#entries.get(key);
      if (known !== undefined && !supersedes(entry, known)) continue;
      this.#entries.set(key, entry);
      changed.set(key, entry);
    }
    return changed;
  }

  /** Entries that `bus` lacks or has older. */
  missingFrom(bus: ReadonlyMap<string, Entry>): readonly (readonly [string, Entry])[] {
    return [...this.#entries].filter(([key, { version }]) => (bus.get(key)?.version ?? 0) < version);
  }

  /** Within one generation a bus forgets only old deletions: so does this process. */
  forgetDeletionsNotIn(bus: ReadonlyMap<string, Entry>): void {
    for (const [key, { value }] of this.#entries)
      if (value === null && !bus.has(key)) this.#entries.delete(key);
  }
}

/** On equal versions the newcomer wins where it differs: it comes from the bus, and all who read the bus have to agree. */
function supersedes(incoming: Entry, known: Entry): boolean {
  return (
    incoming.version > known.version || (incoming.version === known.version && incoming.value !== known.value)
  );
}
