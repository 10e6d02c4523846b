// A whole cluster of real processes: a private Redis, data nodes and coordinators as in production, each to be killed and started again.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import { freePorts } from './free-ports.ts';
import { type HttpCalls, httpCalls } from './http-calls.ts';
import { type RealRedis, startRealRedis } from './real-redis.ts';
import { ROOT } from './repository.ts';
import { type RunningService, runningService } from './running-service.ts';

export type ClusterOptions = {
  /** 3 by default: dn1, dn2, dn3. */
  readonly dataNodes?: number;
  /** 1 by default: c1. */
  readonly coordinators?: number;
  /** For every service. */
  readonly env?: Readonly<Record<string, string>>;
  /** For single services by name. */
  readonly envOf?: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

/** Calls go to the first coordinator. */
export type RunningCluster = HttpCalls & {
  readonly redis: RealRedis;
  /** By name. */
  service(name: string): RunningService;
  /** Calls of another coordinator. */
  at(name: string): HttpCalls;
  /** Resolves once every coordinator hears from every data node. */
  settled(): Promise<void>;
  /** Stops every service in order and starts it again; Redis stays. Throws when one does not end with 0. */
  restart(): Promise<void>;
  /** Stops everything; throws when a service logged a fault, or ended otherwise than in order or by a test's SIGKILL. */
  stop(): Promise<void>;
};

/** Resolves once the cluster is ready and settled. */
export async function startRunningCluster(options: ClusterOptions = {}): Promise<RunningCluster> {
  const { dataNodes = 3, coordinators = 1, env = {}, envOf = {} } = options;
  const redis = await startRealRedis();
  const directory = mkdtempSync(join(tmpdir(), 'weir-cluster-'));
  const ports = await freePorts(dataNodes + coordinators);
  const make = (kind: 'datanode' | 'coordinator', name: string, at: number): RunningService => {
    const port = ports[at] ?? 0;
    mkdirSync(join(directory, name));
    return runningService({
      ...{ name, port, logPath: join(directory, `${name}.log`) },
      command: [process.execPath, join(ROOT, 'packages', kind, 'dist/main.js')],
      env: {
        WEIR_REDIS_URL: redis.url,
        WEIR_HTTP_PORT: String(port),
        WEIR_NODE_NAME: name,
        WEIR_DATA_DIR: join(directory, name),
        ...env,
        ...envOf[name],
      },
    });
  };
  const nodes = Array.from({ length: dataNodes }, (_, at) => make('datanode', `dn${at + 1}`, at));
  const fronts = Array.from({ length: coordinators }, (_, at) =>
    make('coordinator', `c${at + 1}`, dataNodes + at),
  );
  const services = new Map([...nodes, ...fronts].map((service) => [service.name, service]));
  const service = (name: string): RunningService => {
    const found = services.get(name);
    if (found === undefined) throw new Error(`no service ${name}`);
    return found;
  };
  const settled = async (): Promise<void> => {
    for (const { origin } of fronts) await eventually(() => hearsFrom(origin, dataNodes), 30_000);
  };
  const startAll = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.start()));
    await Promise.all(fronts.map((front) => front.start()));
    await settled();
  };
  const stopAll = async (): Promise<readonly string[]> => {
    const problems: string[] = [];
    for (const group of [fronts, nodes])
      for (const { name, ended } of await Promise.all(group.map(stopOne)))
        if (ended !== 0 && ended !== 'SIGKILL') problems.push(`${name} ended with ${ended}`);
    return problems;
  };
  const cleanUp = async (): Promise<void> => {
    await Promise.all([...services.values()].map((each) => each.stop('SIGKILL')));
    await redis.stop();
    rmSync(directory, { recursive: true, force: true });
  };

  try {
    await startAll();
  } catch (thrown) {
    await cleanUp();
    throw thrown;
  }
  return {
    ...{ redis, service, settled },
    ...httpCalls(service('c1').origin),
    at: (name) => httpCalls(service(name).origin),
    async restart() {
      const problems = await stopAll();
      if (problems.length > 0) throw new Error(problems.join('; '));
      await startAll();
    },
    async stop() {
      const problems = [...(await stopAll()), ...[...services.values()].flatMap(faultsOf)];
      await cleanUp();
      if (problems.length > 0) throw new Error(problems.join('\n'));
    },
  };
}

async function stopOne(service: RunningService): Promise<{ name: string; ended: unknown }> {
  return { name: service.name, ended: await service.stop() };
}

/** Lines of level error and fatal: no test of a running cluster brings about a fault of the program. */
function faultsOf(service: RunningService): readonly string[] {
  return service
    .log()
    .filter(({ level }) => level === 'error' || level === 'fatal')
    .map((line) => `${service.name} logged ${JSON.stringify(line)}`);
}

type View = {
  readonly nodes: Readonly<Record<string, { state: string; signals: Record<string, { quality: string }> }>>;
};

/** Whether a coordinator has evidence of so many nodes, their first averages included. */
async function hearsFrom(origin: string, count: number): Promise<boolean> {
  const { nodes } = (await httpCalls(origin).ask('/_weir/view')).body as View;
  const heard = Object.values(nodes);
  return (
    heard.filter(
      ({ state, signals }) =>
        (state === 'calm' || state === 'stressed') && signals['cpu']?.quality !== 'warming',
    ).length === count
  );
}
