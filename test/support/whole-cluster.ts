// A coordinator before data nodes, all in this process on one in-process bus, spoken to over HTTP as a client would.
import { type Coordinator, loadCoordinatorConfig, startCoordinator } from '@weir/coordinator';
import { type Cluster, startCluster } from './data-nodes.ts';
import { eventually } from './eventually.ts';

type LogLine = { readonly level: string; readonly message: string } & Readonly<Record<string, unknown>>;

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; empty where it is not JSON. */
  readonly body: Record<string, unknown>;
};

export type WholeCluster = {
  readonly data: Cluster;
  readonly coordinator: Coordinator;
  /** What the coordinator logged. */
  readonly log: readonly LogLine[];
  ask(path: string, init?: RequestInit): Promise<Answer>;
  /** JSON with its content type; nothing for an undefined body. */
  send(method: string, path: string, body?: unknown): Promise<Answer>;
  bulk(path: string, ...lines: readonly unknown[]): Promise<Answer>;
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
  const ask = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(coordinator.origin + path, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: bodyOf(text) };
  };
  await eventually(async () => {
    const { nodes } = (await ask('/_weir/view')).body as { nodes: Record<string, { state: string }> };
    const states = Object.values(nodes).map(({ state }) => state);
    return states.length === count && !states.includes('unknown');
  }, 30_000);
  return {
    ...{ data, coordinator, log, ask },
    send: (method, path, body) =>
      ask(path, {
        method,
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      }),
    bulk: (path, ...lines) =>
      ask(path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        body: `${lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')}\n`,
      }),
    async stop() {
      await coordinator.stop(1_000);
      await data.stop();
    },
  };
}

function bodyOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
