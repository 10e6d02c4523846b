// A whole cluster in one process: a bus in memory, three data nodes, one coordinator; started and stopped in order.
import { join } from 'node:path';
import { startCoordinator } from '@weir/coordinator';
import { type DataNodeConfig, startDataNode } from '@weir/datanode';
import { InProcessBus, type Logger, systemRng } from '@weir/shared';
import type { StandaloneConfig } from './config.ts';

export type Standalone = {
  /** Base URL that clients reach the coordinator by. */
  readonly origin: string;
  /** Lets requests in flight end within `graceMs`, then frees everything. */
  stop(graceMs: number): Promise<void>;
};

type Part = { stop(graceMs: number): Promise<void> };

const DATA_NODES = ['dn1', 'dn2', 'dn3'];

/** Resolves once requests are taken; rejects, with nothing left running, when that cannot be. */
export async function startStandalone(
  config: StandaloneConfig,
  logger: Pick<Logger, 'info' | 'warn' | 'error'>,
): Promise<Standalone> {
  const bus = new InProcessBus(systemRng);
  const started: Part[] = [];
  const stop = async (graceMs: number): Promise<void> => {
    // The coordinator first: data nodes that stop meanwhile would be replicas lost.
    for (let part = started.pop(); part !== undefined; part = started.pop()) await part.stop(graceMs);
    await bus.close();
  };
  try {
    for (const [number, name] of DATA_NODES.entries())
      started.push(await startDataNode({ config: nodeConfig(config, name, number), bus, logger }));
    const coordinator = await startCoordinator({ config, bus, logger });
    started.push(coordinator);
    return { origin: coordinator.origin, stop };
  } catch (thrown) {
    await stop(0).catch(() => undefined);
    throw thrown;
  }
}

/** Data nodes are reached by this process alone, whoever may reach the coordinator. */
function nodeConfig(config: StandaloneConfig, nodeName: string, number: number): DataNodeConfig {
  const host = '127.0.0.1';
  return {
    ...config,
    ...{ host, publishHost: host, nodeName },
    httpPort: config.datanodePort === 0 ? 0 : config.datanodePort + number,
    dataDir: join(config.dataDir, nodeName),
    access: { ...config.access, loopbackOnly: true },
  };
}
