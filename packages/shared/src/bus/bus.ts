// The port to what the processes of a cluster share: a feed of messages and small versioned tables; Redis or in-process.

/** Stops a subscription. */
export type Unsubscribe = () => Promise<void>;

/** One entry of a table. `version` rises by one with every change of this entry; `value` null marks a deletion that others must hear of. */
export type Entry = { readonly version: number; readonly value: string | null };

/** A whole table as read at one moment. */
export type TableSnapshot = {
  /** Random, made when the table was first written; another generation means that the bus lost its memory. Empty string: the table does not exist. */
  readonly generation: string;
  /** Rises by one with every change of any entry of this generation. */
  readonly revision: number;
  readonly entries: ReadonlyMap<string, Entry>;
};

/** Result of a compare-and-set: done, or the entry that stood in the way (undefined: absent). */
export type CasResult =
  | { readonly done: true; readonly version: number }
  | { readonly done: false; readonly current: Entry | undefined };

/** A message says only that something changed or carries a small fact; it may be lost, so every reader also polls. */
export interface Bus {
  /** Sends to all subscribers of `channel`; rejects when the bus cannot be reached within its time limit. */
  publish(channel: string, message: string): Promise<void>;
  /** Hears `channel` until unsubscribed, across reconnects. Never rejects for a bus that is down: it subscribes once it is up. */
  subscribe(channel: string, listener: (message: string) => void): Promise<Unsubscribe>;
  /** Reads a whole table. */
  readTable(table: string): Promise<TableSnapshot>;
  /** Reads only generation and revision: what a poll costs. */
  readRevision(table: string): Promise<{ readonly generation: string; readonly revision: number }>;
  /** Writes an entry iff its version is `expectedVersion` (0: absent); the new version is expectedVersion + 1. */
  compareAndSet(
    table: string,
    key: string,
    expectedVersion: number,
    value: string | null,
  ): Promise<CasResult>;
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
export const CHANNELS = { stats: 'stats', settings: 'settings', metadata: 'metadata' } as const;
export const TABLES = { settings: 'settings', indices: 'indices' } as const;
export const SNAPSHOTS = { nodes: 'nodes' } as const;
