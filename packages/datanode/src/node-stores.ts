// What a data node keeps: its locked directory with the engine, and the cluster's settings and metadata, on its disk too.
import { join } from 'node:path';
import {
  type Bus,
  type Clock,
  fileSettings,
  MetadataStore,
  type Rng,
  SettingsStore,
  type Timers,
  tableFile,
  type WarningLog,
} from '@weir/shared';
import type { Closers } from './closers.ts';
import type { DataNodeConfig } from './config.ts';
import { openDataDirectory } from './engine/data-directory.ts';
import { type SqliteEngine, sqliteEngine } from './engine/sqlite-engine.ts';
import { OwnCopies } from './shard/own-copies.ts';

export type NodeStoresPorts = {
  readonly config: DataNodeConfig;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly rng: Rng;
  readonly log: WarningLog;
};

export type NodeStores = {
  readonly nodeId: string;
  readonly engine: SqliteEngine;
  readonly settings: SettingsStore;
  readonly metadata: MetadataStore;
};

/** Opens all of it; every shard copy assigned to this node is open when it resolves. A bus that is down is only late. */
export async function openNodeStores(ports: NodeStoresPorts, closers: Closers): Promise<NodeStores> {
  const { config, clock, timers, rng, log } = ports;
  const directory = openDataDirectory(config.dataDir, rng);
  closers.add(() => directory.release());
  const engine = await sqliteEngine({ directory, clock, timers });
  closers.add(() => engine.close());
  const keptIn = (name: string) => tableFile(join(directory.path, 'tables', `${name}.json`), log);

  const file = fileSettings(config.fileSettings);
  const settings = new SettingsStore({ ...ports, file, storage: keptIn('settings') });
  closers.add(() => settings.close());
  await settings.start();

  const metadata = new MetadataStore({ ...ports, storage: keptIn('indices') });
  const copies = new OwnCopies(directory.nodeId, metadata, engine, log);
  // Before the store starts: it tells of what it loads, deletions among it, only once.
  copies.follow();
  closers.add(() => copies.stop());
  closers.add(() => metadata.close());
  await metadata.start();
  await copies.settled();
  return { nodeId: directory.nodeId, engine, settings, metadata };
}
