// Data nodes as processes of their own on a real Redis, to be killed, stopped and frozen.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Bus,
  systemClock as clock,
  connectRedisBus,
  type HttpClient,
  type IndexMetadata,
  MetadataStore,
  type NodeStats,
  newIndex,
  systemRng as rng,
  SettingsStore,
  systemTimers as timers,
  undiciClient,
} from '@weir/shared';
import { eventually } from './eventually.ts';
import { type RealRedis, startRealRedis } from './real-redis.ts';

export type NodeProcess = {
  readonly id: string;
  readonly origin: string;
  readonly pid: number;
  /** Sends a signal. */
  signal(name: NodeJS.Signals): void;
  /** Resolves with exit code or signal. */
  readonly ended: Promise<number | NodeJS.Signals>;
};

export type NodeProcesses = {
  readonly redis: RealRedis;
  readonly bus: Bus;
  readonly metadata: MetadataStore;
  readonly http: HttpClient;
  start(name: string): Promise<NodeProcess>;
  /** An index of one shard with its copies on these nodes, the primary's first. */
  placeIndex(name: string, nodes: readonly NodeProcess[]): Promise<IndexMetadata>;
  stop(): Promise<void>;
};

const MAIN = join(process.cwd(), 'packages/datanode/dist/main.js');
const silent = { info: () => {}, warn: () => {} };

/** Starts Redis; data nodes come one by one, and admit whatever comes. `env` holds for all of them. */
export async function startNodeProcesses(env: Readonly<Record<string, string>>): Promise<NodeProcesses> {
  const redis = await startRealRedis();
  const directory = await mkdtemp(join(tmpdir(), 'weir-node-processes-'));
  const ports = { clock, timers, rng, log: silent };
  const bus = await connectRedisBus({ url: redis.url, cluster: 'weir', ...ports });
  const metadata = new MetadataStore({ bus, ...ports });
  await metadata.start();
  const http = undiciClient();
  const settings = new SettingsStore({ bus, ...ports });
  await settings.start();
  // However busy this machine is: what is refused is another test's matter.
  await settings.change({ persistent: { 'weir.admission.mode': 'disabled' } }, { author: 'test' });
  const children = new Set<ChildProcess>();

  async function start(name: string): Promise<NodeProcess> {
    const argv = ['--http-port', '0', '--node-name', name, '--data-dir', join(directory, name)];
    const child = spawn(process.execPath, [MAIN, ...argv, '--redis-url', redis.url, '--log-level', 'warn'], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    children.add(child);
    const ended = once(child, 'exit').then(([code, signal]) => {
      children.delete(child);
      return (code ?? signal) as number | NodeJS.Signals;
    });
    let heard: NodeStats | undefined;
    const unsubscribe = await bus.subscribe('stats', (message) => {
      const stats = JSON.parse(message) as NodeStats;
      if (stats.name === name && stats.address !== '') heard = stats;
    });
    await eventually(() => heard !== undefined || !children.has(child), 60_000);
    await unsubscribe();
    if (heard === undefined) throw new Error(`${name} ended with ${await ended}`);
    const { id, address: origin } = heard;
    return { id, origin, pid: child.pid ?? 0, signal: (signal) => void child.kill(signal), ended };
  }

  return {
    ...{ redis, bus, metadata, http, start },
    placeIndex(name, nodes) {
      const body = { settings: { index: { number_of_replicas: nodes.length - 1 } } };
      const index = newIndex(name, body, { nodeIds: [], indices: [], clock, rng });
      const [primary, ...replicas] = nodes.map(({ id }) => ({
        node: id,
        allocation_id: rng.bytes(8).toString('hex'),
      }));
      return metadata.create({
        ...index,
        shards: [{ primary_term: 1, primary: primary ?? null, replicas, lost: [] }],
      });
    },
    async stop() {
      for (const child of children) {
        child.kill('SIGKILL');
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      }
      await http.close();
      await Promise.all([metadata.close(), settings.close()]);
      await bus.close();
      await redis.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
