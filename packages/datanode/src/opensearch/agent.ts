// A whole agent beside one OpenSearch node, put together from its ports: started, reachable, and stopped in order.
import { join } from 'node:path';
import {
  BoundedWarnings,
  byteLimits,
  ClusterView,
  fileSettings,
  followStats,
  IndexingPressure,
  isLoopback,
  openSearchConnection,
  realHeapLimitBytes,
  SettingsStore,
  serve,
  systemClock,
  systemRng,
  systemTimers,
  tableFile,
  undiciClient,
  WeirError,
} from '@weir/shared';
import { Closers } from '../closers.ts';
import type { AgentConfig } from '../config.ts';
import { type DataNode, type DataNodeOptions, originOf } from '../data-node.ts';
import { openDataDirectory } from '../engine/data-directory.ts';
import { OwnSignals } from '../own-signals.ts';
import { SelfWatch } from '../self-watch.ts';
import { workEnded } from '../shard/work-ended.ts';
import { DiskRoom } from '../stats/disk-room.ts';
import { agentService } from './agent-service.ts';
import { AgentWork } from './agent-work.ts';
import { LocalNode } from './local-node.ts';
import { type NodeIdentity, NodePoller } from './node-poller.ts';
import { nodeSignals } from './node-signals.ts';
import { WritePool } from './write-pool.ts';

export type AgentOptions = Omit<DataNodeOptions, 'config'> & { readonly config: AgentConfig };

/**
 * Resolves once the agent takes requests, whether or not its node is there yet; rejects, with nothing left open, when it cannot.
 * Nobody hears of it before its node said who it is.
 */
export async function startAgent(options: AgentOptions): Promise<DataNode> {
  const closers = new Closers();
  try {
    return await start(options, closers);
  } catch (thrown) {
    await closers.closeAll().catch(() => undefined);
    throw thrown;
  }
}

async function start(options: AgentOptions, closers: Closers): Promise<DataNode> {
  const { config, bus, logger: log } = options;
  const { clock = systemClock, timers = systemTimers, rng = systemRng } = options;
  const common = { config, bus, clock, timers, rng, log };
  const warnings = new BoundedWarnings(log, clock);
  const warn = (message: string, fields: object): void => warnings.warn(message, { ...fields }, message);

  const node = connect(config, closers);
  // Another one than the node's: its authorities are not those of the agents.
  const http = undiciClient();
  closers.add(() => http.close());
  const directory = openDataDirectory(config.dataDir, rng);
  closers.add(() => directory.release());
  const store = new SettingsStore({
    ...{ ...common, file: fileSettings(config.fileSettings) },
    storage: tableFile(join(directory.path, 'tables', 'settings.json'), log),
  });
  closers.add(() => store.close());
  await store.start();
  const settings = () => store.current();

  const poller = new NodePoller({ node, clock, timers, warn });
  closers.add(() => poller.stop());
  const identity = identityOf(poller, config.nodeName);
  const pool = new WritePool();
  const work = new AgentWork({ clock, settings, pool });
  poller.onFigures(({ writePool }) => {
    if (writePool === undefined) pool.forget();
    else pool.observe(writePool, work.poolObserved(), clock.nowMs());
  });
  const ownHeapBytes = realHeapLimitBytes();
  // Bytes in flight are held here and at the node: the smaller of the two has to bear them.
  const heapBytes = () => Math.min(ownHeapBytes, poller.figures()?.heapMaxBytes ?? ownHeapBytes);
  const pressure = new IndexingPressure(() => byteLimits(settings(), heapBytes()));
  const signals = new OwnSignals({
    ...{ clock, timers, settings, warn, work },
    sampler: nodeSignals({
      ...{ clock, timers, warn, dataPath: config.openSearchDataPath },
      figures: () => poller.figures(),
      sameHost: isLoopback(new URL(node.origin).hostname.replace(/^\[|\]$/g, '')),
    }),
  });
  const watch = new SelfWatch({ ...common, identity, settings: store, pressure, warnings, signals });
  await poller.start();
  watch.start();
  closers.add(() => signals.stop());
  const disk = await diskOf(config.openSearchDataPath, timers, closers);

  const view = new ClusterView(settings);
  closers.add(await followStats({ bus, view, clock, timers, rng, settings, warn }));

  const parts = {
    ...common,
    http,
    view,
    settings,
    pressure,
    identity,
    node,
    poller,
    work,
    watch,
    disk,
    warnings,
  };
  const service = agentService(parts);
  closers.add(() => service.stop());
  const listening = await serve(service.app, { host: config.host, port: config.httpPort, timers });
  const origin = originOf(config.publishHost, listening.port);

  // Without an address coordinators do what is right without an agent (weir.opensearch.on_agent_loss), instead of coming here in vain.
  const address = (): string => (poller.isThere && !watch.isDraining ? origin : '');
  let stopPublishing: (() => Promise<void>) | undefined;
  const tell = (): void => {
    const { id, name } = identity;
    log.info({ opensearch_node: name, id, url: node.origin, is_there: poller.isThere }, 'OpenSearch node');
    if (stopPublishing === undefined) stopPublishing = watch.publishFrom(address);
    else watch.tellNow();
  };
  if (poller.identity() !== undefined) tell();
  poller.onChange(tell);

  let stopping: Promise<void> | undefined;
  return {
    get id() {
      return identity.id;
    },
    get name() {
      return identity.name;
    },
    origin,
    stop(graceMs) {
      stopping ??= stop(graceMs);
      return stopping;
    },
  };

  async function stop(graceMs: number): Promise<void> {
    const deadlineMs = clock.nowMs() + graceMs;
    watch.drain();
    await stopPublishing?.();
    await listening.stop(graceMs);
    await workEnded(pressure, deadlineMs, { clock, timers });
    await closers.closeAll();
  }
}

function connect(config: AgentConfig, closers: Closers): LocalNode {
  const { origins, authorization, ca } = openSearchConnection(config);
  const [origin] = origins;
  if (origin === undefined || origins.length > 1)
    throw new WeirError(
      'config',
      `weir.opensearch.urls [${origins.join(',')}]: an agent stands beside one node, give its address alone`,
    );
  const http = undiciClient({ ca });
  closers.add(() => http.close());
  return new LocalNode({ http, origin, authorization });
}

/** Always of the newest answer: a node whose data directory was emptied comes back as another one. */
function identityOf(poller: NodePoller, before: string): NodeIdentity {
  return {
    get id() {
      return poller.identity()?.id ?? 'unknown';
    },
    get name() {
      return poller.identity()?.name ?? before;
    },
  };
}

async function diskOf(
  path: string | undefined,
  timers: Parameters<DiskRoom['start']>[0],
  closers: Closers,
): Promise<DiskRoom | undefined> {
  if (path === undefined) return undefined;
  const disk = new DiskRoom(path);
  await disk.start(timers);
  closers.add(() => disk.stop());
  return disk;
}
