// A coordinator before data nodes, all in this process on one in-process bus, spoken to over HTTP as a client would.
import { type Coordinator, loadCoordinatorConfig, startCoordinator } from '@weir/coordinator';
import { type Cluster, startCluster } from './data-nodes.ts';
import { eventually } from './eventually.ts';
import { type Answer, type HttpCalls, httpCalls } from './http-calls.ts';

type LogLine = { readonly level: string; readonly message: string } & Readonly<Record<string, unknown>>;

export type { Answer };

export type WholeCluster = HttpCalls & {
  readonly data: Cluster;
  readonly coordinator: Coordinator;
  /** What the coordinator logged. */
  readonly log: readonly LogLine[];
  stop(): Promise<void>;
};

/** Starts `count` data nodes and a coordinator that has heard of all of them. */
export async function startWholeCluster(count: number, ...argv: readonly string[]): Promise<WholeCluster> {
  const data = await startCluster(count);
  const log: LogLine[] = [];
  const logAt = (level: string) => (fields: object, message?: string) =>
    void log.push({ ...fields, level, message: message ?? '' });
  const loaded = loadCoordinatorConfig({
    argv: ['--http-port', '0', '--node-name', 'c1', ...argv],
    env: {},
  });
  if (loaded.kind !== 'run') throw new Error('not a configuration to run');
  const coordinator = await startCoordinator({
    config: loaded.config,
    bus: data.bus,
    logger: { info: logAt('info'), warn: logAt('warn'), error: logAt('error') } as never,
  });
  const calls = httpCalls(coordinator.origin);
  await eventually(async () => {
    const { nodes } = (await calls.ask('/_weir/view')).body as { nodes: Record<string, { state: string }> };
    const states = Object.values(nodes).map(({ state }) => state);
    return states.length === count && !states.includes('unknown');
  }, 30_000);
  return {
    ...{ data, coordinator, log, ...calls },
    async stop() {
      await coordinator.stop(1_000);
      await data.stop();
    },
  };
}
