// Weir before a real OpenSearch as processes of their own: a private Redis, coordinators, and an agent beside each node.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import { freePorts } from './free-ports.ts';
import { type HttpCalls, httpCalls } from './http-calls.ts';
import { startRealRedis } from './real-redis.ts';
import { ROOT } from './repository.ts';
import { type RunningService, runningService } from './running-service.ts';

/** Calls go to the first coordinator. */
export type FrontProcesses = HttpCalls & {
  readonly origin: string;
  readonly coordinators: readonly RunningService[];
  agent(node: 'n1' | 'n2'): RunningService;
  /** These settings and no others; resolves once all coordinators and both agents have them. */
  set(settings: Readonly<Record<string, unknown>>): Promise<void>;
  /** Resolves once the first coordinator has fresh evidence and the address of this agent, or neither. */
  settled(node: 'n1' | 'n2', isThere: boolean): Promise<void>;
  /** Shard requests that an agent brought to its node since it started. */
  forwardedBy(node: 'n1' | 'n2'): Promise<number>;
  stop(): Promise<void>;
};

type View = {
  readonly nodes: Readonly<Record<string, { readonly address: string; readonly state: string }>>;
};
type Settings = { readonly nodes: Readonly<Record<string, { readonly versions_behind: number }>> };

const LIMIT_MS = 60_000;

/** Resolves once the first coordinator has heard of both agents. `origins`: of the nodes n1 and n2. */
export async function startFrontProcesses(
  origins: readonly [string, string],
  coordinatorCount = 1,
): Promise<FrontProcesses> {
  const directory = mkdtempSync(join(tmpdir(), 'weir-front-'));
  const [redis, ports] = await Promise.all([startRealRedis(), freePorts(2 + coordinatorCount)]);
  const service = (program: string, name: string, urls: string, port = 0): RunningService =>
    runningService({
      ...{ name, port, logPath: join(directory, `${name}.log`) },
      command: [process.execPath, join(ROOT, 'packages', program, 'dist/main.js')],
      env: {
        WEIR_ENGINE: 'opensearch',
        WEIR_OPENSEARCH_URLS: urls,
        WEIR_REDIS_URL: redis.url,
        WEIR_HTTP_PORT: String(port),
        WEIR_NODE_NAME: name,
        WEIR_DATA_DIR: join(directory, name),
      },
    });
  const agents = {
    n1: service('datanode', 'agent-n1', origins[0], ports[0]),
    n2: service('datanode', 'agent-n2', origins[1], ports[1]),
  };
  const coordinators = ports
    .slice(2)
    .map((port, position) => service('coordinator', `c${position + 1}`, origins.join(','), port));
  const origin = coordinators[0]?.origin ?? '';
  const calls = httpCalls(origin);
  const all = [...coordinators, agents.n1, agents.n2];

  const settled = async (node: 'n1' | 'n2', isThere: boolean): Promise<void> => {
    await eventually(async () => {
      const { address = '', state } = ((await calls.ask('/_weir/view')).body as View).nodes[node] ?? {};
      return isThere
        ? address !== '' && (state === 'calm' || state === 'stressed')
        : state === 'gone' || address === '';
    }, LIMIT_MS);
  };
  const stop = async (): Promise<void> => {
    await Promise.all(all.map((each) => each.stop('SIGKILL')));
    await redis.stop();
    rmSync(directory, { recursive: true, force: true });
  };

  try {
    await Promise.all(all.map((each) => each.start()));
    await settled('n1', true);
    await settled('n2', true);
  } catch (thrown) {
    await stop();
    throw thrown;
  }
  return {
    ...calls,
    ...{ origin, coordinators, settled, stop },
    agent: (node) => agents[node],
    async set(settings) {
      const transient = { 'weir.*': null, ...settings };
      const { status, text } = await calls.send('PUT', '/_cluster/settings', { transient });
      if (status !== 200) throw new Error(text);
      await eventually(async () => {
        const { nodes } = (await calls.ask('/_weir/settings')).body as Settings;
        return Object.values(nodes).every(({ versions_behind }) => versions_behind === 0);
      }, LIMIT_MS);
    },
    async forwardedBy(node) {
      const { text } = await httpCalls(agents[node].origin).ask('/metrics');
      return Number(/shard_request_seconds_count\{.*outcome="applied".*\} (\d+)/.exec(text)?.[1] ?? 0);
    },
  };
}
