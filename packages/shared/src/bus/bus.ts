// The port to what the processes of a cluster share: a feed of messages and small versioned tables; Redis or in-process.

/** Stops a subscription. */
export type Unsubscribe = () => Promise<void>;

/**
 * One entry of a table. `version` rises by one with every change of this entry; an entry made anew starts at the table's revision, above
 * every version its name ever had. `value` null marks a deletion that others must hear of.
 */
export type Entry = { readonly version: number; readonly value: string | null };

/** A whole table as read at one moment. */
export type TableSnapshot = {
  /** Random, made when the table was first written; another generation means that the bus lost its memory. Empty string: the table does not exist. */
  readonly generation: string;
  /** Rises with every change of this generation. */
  readonly revision: number;
  readonly entries: ReadonlyMap<string, Entry>;
};

/** One write of a compare-and-set: done iff the entry's version is `expectedVersion` (0: absent). */
export type TableWrite = {
  readonly key: string;
  readonly expectedVersion: number;
  readonly value: string | null;
};

/** Result of a compare-and-set: done, or the entries there are of those it wanted to write, so that the next try needs no read. */
export type CasResult =
  | {
      readonly done: true;
      readonly generation: string;
      readonly revision: number;
      /** The new versions, in the order of the writes. */
      readonly versions: readonly number[];
    }
  | { readonly done: false; readonly current: ReadonlyMap<string, Entry> };

/** Deletions a table remembers, two for each index; older ones are forgotten, so that a table does not grow with every index that ever was. */
export const TOMBSTONES_KEPT = 500;

/** A message says only that something changed or carries a small fact; it may be lost, so every reader also polls. */
export interface Bus {
  /** Sends to all subscribers of `channel`; rejects when the bus cannot be reached within its time limit. */
  publish(channel: string, message: string): Promise<void>;
  /** Hears `channel` until unsubscribed, across reconnects. Never rejects for a bus that is down: it subscribes once it is up. */
  subscribe(channel: string, listener: (message: string) => void): Promise<Unsubscribe>;
  /** How many processes hear `channel` at this moment. */
  countSubscribers(channel: string): Promise<number>;
  /** Reads a whole table. */
  readTable(table: string): Promise<TableSnapshot>;
  /** Reads only generation and revision: what a poll costs. */
  readRevision(table: string): Promise<{ readonly generation: string; readonly revision: number }>;
  /** Makes all of the writes, as one change, or none of them. After a rejection it is unknown whether they were made. */
  compareAndSet(table: string, writes: readonly TableWrite[]): Promise<CasResult>;
  /** Puts back an entry after the bus lost its memory: written with this very version iff the one there is absent or lower. */
  restore(table: string, key: string, entry: Entry): Promise<boolean>;
  /** Writes into a snapshot hash without versions (newest node stats), for readers that start later. */
  putSnapshot(hash: string, key: string, value: string): Promise<void>;
  /** Reads such a hash. */
  readSnapshot(hash: string): Promise<ReadonlyMap<string, string>>;
  /** Whether the last call got an answer; a metric, never a freshness test. */
  isUp(): boolean;
  close(): Promise<void>;
}

/** Names of channels, tables and hashes; the implementations prefix them with the cluster's name. */
export const CHANNELS = {
  stats: 'stats',
  settings: 'settings',
  metadata: 'metadata',
  /** Heard by every process that holds the transient settings; nothing is ever sent on it. */
  transientHolders: 'transient-holders',
} as const;
export const TABLES = { settings: 'settings', indices: 'indices' } as const;
export const SNAPSHOTS = { nodes: 'nodes' } as const;
