// A whole data node, put together from its ports: started, reachable, and stopped in order.
import { setMaxListeners } from 'node:events';
import {
  BoundedWarnings,
  type Bus,
  byteLimits,
  type Clock,
  ClusterView,
  followStats,
  type HttpClient,
  IndexingPressure,
  type Logger,
  type Rng,
  realHeapLimitBytes,
  serve,
  systemClock,
  systemRng,
  systemTimers,
  type Timers,
  undiciClient,
} from '@weir/shared';
import { dataNodeApp } from './app.ts';
import { assembleService } from './assemble-service.ts';
import { Closers } from './closers.ts';
import type { DataNodeConfig } from './config.ts';
import { openNodeStores } from './node-stores.ts';
import { OwnSignals } from './own-signals.ts';
import { SelfWatch } from './self-watch.ts';
import { InSyncCopies } from './shard/in-sync-copies.ts';
import { workEnded } from './shard/work-ended.ts';
import { DiskRoom } from './stats/disk-room.ts';

export type DataNodeOptions = {
  readonly config: DataNodeConfig;
  /** Shared with the cluster; stays open when the node stops, since others of this process may use it. */
  readonly bus: Bus;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly clock?: Clock;
  readonly timers?: Timers;
  readonly rng?: Rng;
};

/** A running data node. */
export type DataNode = {
  /** Stable identity of its data directory. */
  readonly id: string;
  readonly name: string;
  /** Base URL that others reach it by. */
  readonly origin: string;
  /** Takes no new work, lets work in flight end with its real results within `graceMs`, then frees everything but the bus. */
  stop(graceMs: number): Promise<void>;
};

/** Resolves once the node takes requests; rejects, with nothing left open, when it cannot. */
export async function startDataNode(options: DataNodeOptions): Promise<DataNode> {
  const closers = new Closers();
  try {
    return await start(options, closers);
  } catch (thrown) {
    await closers.closeAll().catch(() => undefined);
    throw thrown;
  }
}

async function start(options: DataNodeOptions, closers: Closers): Promise<DataNode> {
  const { config, bus, logger: log } = options;
  const { clock = systemClock, timers = systemTimers, rng = systemRng } = options;
  const common = { config, bus, clock, timers, rng, log };
  const warnings = new BoundedWarnings(log, clock);
  const http: HttpClient = undiciClient();
  closers.add(() => http.close());
  const stores = await openNodeStores(common, closers);
  const { nodeId, settings, metadata } = stores;

  const heapLimitBytes = realHeapLimitBytes();
  const pressure = new IndexingPressure(() => byteLimits(settings.current(), heapLimitBytes));
  const identity = { id: nodeId, name: config.nodeName };
  const signals = new OwnSignals({
    ...{ clock, timers, dataPath: config.dataDir, settings: () => settings.current() },
    warn: (message, fields) => warnings.warn(message, fields, message),
  });
  const watch = new SelfWatch({
    ...common,
    ...{ identity, settings, pressure, warnings, signals },
  });
  watch.start();
  closers.add(() => watch.signals.stop());
  const disk = new DiskRoom(config.dataDir);
  await disk.start(timers);
  closers.add(() => disk.stop());
  const view = new ClusterView(() => settings.current());
  closers.add(
    await followStats({
      ...{ bus, view, clock, timers, rng, settings: () => settings.current() },
      warn: (message, fields) => warnings.warn(message, fields, message),
    }),
  );
  const inSync = new InSyncCopies(metadata, nodeId, timers, log);
  closers.add(() => inSync.stop());

  const closing = new AbortController();
  // One listener for each write that waits to try a replica again.
  setMaxListeners(0, closing.signal);
  closers.add(() => closing.abort());
  const service = assembleService({
    ...{ ...common, ...stores, http, pressure, watch, disk, view, inSync, warnings },
    closing: closing.signal,
  });
  closers.add(() => service.recorder.stop());
  closers.add(() => service.permits.close());
  const listening = await serve(dataNodeApp(service), { host: config.host, port: config.httpPort, timers });
  const origin = originOf(config.publishHost, listening.port);
  const stopPublishing = watch.publishFrom(() => origin);

  let stopping: Promise<void> | undefined;
  return {
    ...identity,
    origin,
    stop(graceMs) {
      stopping ??= stop(graceMs);
      return stopping;
    },
  };

  async function stop(graceMs: number): Promise<void> {
    const deadlineMs = clock.nowMs() + graceMs;
    watch.drain();
    await stopPublishing();
    await listening.stop(graceMs);
    // Writes whose clients were answered before they were settled are brought to their end too, as far as time allows.
    await workEnded(pressure, deadlineMs, { clock, timers });
    await closers.closeAll();
  }
}

export function originOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
