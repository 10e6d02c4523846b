// Two real OpenSearch nodes for one test file, on free ports of loopback; where Java or Maven is missing its tests are skipped, and it is said why.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from '@jest/globals';
import { eventually } from './eventually.ts';
import { ROOT } from './repository.ts';

/** The first start fetches the jars and compiles; later ones take some seconds. */
export const START_LIMIT_MS = 300_000;

const { stdout } = spawnSync(process.execPath, [join(ROOT, 'scripts/missing-for-opensearch.mjs')]);
const missing = JSON.parse(stdout.toString()) as readonly string[];

/** `describe` where a real OpenSearch can be started; elsewhere its tests are left out, with the reason on stderr. */
export const describeOnOpenSearch: (name: string, tests: () => void) => void =
  missing.length === 0 ? describe : leftOut;

function leftOut(name: string, tests: () => void): void {
  process.stderr.write(
    `LEFT OUT: ${name}: ${missing.join(', ')} not found; install a JDK 17 or newer and Maven to run it\n`,
  );
  describe.skip(name, tests);
}

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined where it is no JSON. */
  readonly json: unknown;
};

export type RealOpenSearch = {
  /** Base URLs of n1, which alone is cluster manager, and n2. */
  readonly origins: readonly [string, string];
  readonly pids: readonly [number, number];
  /** Resolves when it has ended in order; `emptied`: what it stored is gone, and it comes back as another one. */
  stopNode(node: NodeNumber, how?: 'emptied'): Promise<void>;
  /** Resolves once it has joined again. */
  startNode(node: NodeNumber): Promise<void>;
  stop(): Promise<void>;
};

/** n1 is 0, n2 is 1. */
type NodeNumber = 0 | 1;

export async function startRealOpenSearch(): Promise<RealOpenSearch> {
  const directory = await mkdtemp(join(tmpdir(), 'weir-opensearch-'));
  const script = spawn(
    process.execPath,
    ['scripts/opensearch.mjs', '--port', '0', '--json', '--heap', '512m', '--data', directory],
    { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  );
  const { origins, pids } = await firstLine(script);
  const tell = async (order: Readonly<Record<string, NodeNumber>>): Promise<void> => {
    const [answer] = (await new Promise<unknown[]>((resolve, reject) => {
      once(script, 'message').then(resolve, reject);
      script.once('exit', (code) => reject(new Error(`the script that runs OpenSearch ended with ${code}`)));
      script.send(order);
    })) as [{ readonly failed?: string }];
    if (answer.failed !== undefined) throw new Error(answer.failed);
  };
  return {
    origins,
    pids,
    async stopNode(node, how) {
      await tell({ stop: node });
      if (how === 'emptied') await rm(join(directory, `n${node + 1}`, 'data'), { recursive: true });
    },
    startNode: (node) => tell({ start: node }),
    async stop() {
      const gone = once(script, 'exit');
      script.kill('SIGTERM');
      await gone;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function firstLine(script: ChildProcess): Promise<Pick<RealOpenSearch, 'origins' | 'pids'>> {
  return new Promise((resolve, reject) => {
    let said = '';
    let text = '';
    script.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    script.stdout?.on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) resolve(JSON.parse(text));
    });
    script.once('exit', (code) => reject(new Error(`OpenSearch did not start (${code}): ${said}`)));
  });
}

/** Resolves once all shards have started and the coordinator at `weir` has read that. */
export async function untilStarted(weir: string, cluster: string): Promise<void> {
  const { status, text } = await ask(
    cluster,
    'GET',
    '/_cluster/health?wait_for_status=green&wait_for_no_initializing_shards=true&timeout=30s',
  );
  if (status !== 200) throw new Error(`not all shards have started: ${text}`);
  await untilKnown(weir, cluster);
}

/** Resolves once the coordinator at `weir` has read the cluster's state of now, or a later one. */
export async function untilKnown(weir: string, cluster: string): Promise<void> {
  const there = (await ask(cluster, 'GET', '/_cluster/state/version')).json as { version: number };
  await eventually(async () => {
    const here = (await ask(weir, 'GET', '/_weir/cluster')).json as { state_version: number };
    return here.state_version >= there.version;
  }, 30_000);
}

/** One request; a string or object is sent as JSON, a Buffer as NDJSON. */
export async function ask(
  origin: string,
  method: string,
  path: string,
  body?: Buffer | string | object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const isBulk = Buffer.isBuffer(body);
  const sent = isBulk ? new Uint8Array(body) : typeof body === 'object' ? JSON.stringify(body) : body;
  const response = await fetch(origin + path, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': isBulk ? 'application/x-ndjson' : 'application/json' }),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
