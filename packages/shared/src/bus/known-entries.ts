// What a process knows of a table's entries: the higher version wins, wherever it comes from.
import type { Entry } from './bus.ts';

/** On equal versions: whether the known value stays and is written over the other one. Every process has to judge alike. */
export type Outranks = (known: string, incoming: string) => boolean;

/** Entries gathered from messages, reads and the disk. */
export class KnownEntries {
  readonly #entries = new Map<string, Entry>();
  readonly #outranks: Outranks;

  constructor(outranks: Outranks = () => false) {
    this.#outranks = outranks;
  }

  all(): ReadonlyMap<string, Entry> {
    return this.#entries;
  }

  /** Takes what is newer than known and returns it. */
  merge(incoming: ReadonlyMap<string, Entry>): ReadonlyMap<string, Entry> {
    const changed = new Map<string, Entry>();
    for (const [key, entry] of incoming) {
      const known = this.#entries.get(key);
      if (known !== undefined && !this.#supersedes(entry, known)) continue;
      this.#entries.set(key, entry);
      changed.set(key, entry);
    }
    return changed;
  }

  /** Entries that `bus` lacks or has older. */
  missingFrom(bus: ReadonlyMap<string, Entry>): readonly (readonly [string, Entry])[] {
    return [...this.#entries].filter(([key, { version }]) => (bus.get(key)?.version ?? 0) < version);
  }

  /** Entries that tie with others on `bus` and outrank them. */
  outranking(bus: ReadonlyMap<string, Entry>): readonly (readonly [string, Entry])[] {
    return [...this.#entries].filter(([key, { version, value }]) => {
      const there = bus.get(key);
      return there?.version === version && there.value !== value;
    });
  }

  /** Within one generation a bus forgets only old deletions: so does this process. */
  forgetDeletionsNotIn(bus: ReadonlyMap<string, Entry>): void {
    for (const [key, { value }] of this.#entries)
      if (value === null && !bus.has(key)) this.#entries.delete(key);
  }

  /** On equal versions the newcomer wins where it differs and is not outranked: it comes from the bus, and all who read the bus have to agree. */
  #supersedes(incoming: Entry, known: Entry): boolean {
    if (incoming.version !== known.version) return incoming.version > known.version;
    if (incoming.value === known.value) return false;
    return incoming.value === null || known.value === null || !this.#outranks(known.value, incoming.value);
  }
}
