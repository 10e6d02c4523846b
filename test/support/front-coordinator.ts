// A coordinator in this process in front of a real OpenSearch, and stats of its nodes as their agents would publish them.
import { loadCoordinatorConfig, startCoordinator } from '@weir/coordinator';
import { CHANNELS, InProcessBus, type NodeStats, systemRng } from '@weir/shared';

export type Front = {
  readonly origin: string;
  readonly warnings: readonly string[];
  /** An agent says how its node is. */
  publish(stats: NodeStats): Promise<void>;
  stop(): Promise<void>;
};

export async function startFront(
  origins: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Front> {
  const loaded = loadCoordinatorConfig({
    argv: ['--http-port', '0'],
    env: { WEIR_ENGINE: 'opensearch', WEIR_OPENSEARCH_URLS: origins.join(','), ...env },
  });
  if (loaded.kind !== 'run') throw new Error('expected a run');
  const bus = new InProcessBus(systemRng);
  const warnings: string[] = [];
  const warn = (_fields: unknown, message?: string): void => {
    warnings.push(message ?? '');
  };
  const logger = { info: () => undefined, warn, error: warn };
  const coordinator = await startCoordinator({ config: loaded.config, bus, logger: logger as never });
  return {
    origin: coordinator.origin,
    warnings,
    publish: (stats) => bus.publish(CHANNELS.stats, JSON.stringify(stats)),
    stop: () => coordinator.stop(1_000),
  };
}

/** Stats of a node beside which an agent stands. */
export function agentStats(
  id: string,
  name: string,
  address: string,
  change: Partial<NodeStats> = {},
): NodeStats {
  const idle = { fast: 1, slow: 1, quality: 'ok' as const };
  return {
    ...{ id, name, address, boot_id: 'boot', seq: 1, draining: false },
    signals: { cpu: idle, heap: idle, io: idle },
    ...{ work: 0, operations_waiting: 0, oldest_waiting_ms: 0, drain_per_s: 10_000 },
    ...{ accepted_total: 0, completed_total: 0, settings_version: 0 },
    in_flight_bytes: { coordinating: 0, primary: 0, replica: 0 },
    limit_bytes: { primary: 1e8, replica: 1.5e8 },
    ...change,
  };
}
