// Two real OpenSearch nodes of one cluster on loopback, as `npm run opensearch` starts them, with nothing kept from run to run.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { delay, systemTimers } from '@weir/shared';
import { startChild } from './child.ts';
import { mustCall } from './rest.ts';
import { until } from './service-processes.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export type OpenSearchNode = {
  readonly name: string;
  readonly origin: string;
  readonly pid: number;
  readonly dataPath: string;
};

export type OpenSearchProcesses = {
  /** n1 is the cluster manager and gets every primary, n2 every replica. */
  readonly nodes: readonly [OpenSearchNode, OpenSearchNode];
  stop(): Promise<void>;
};

export type OpenSearchOptions = {
  readonly cpus?: readonly number[];
  /** Settings of the nodes beside those they need to run. */
  readonly settings?: Readonly<Record<string, string>>;
};

type Started = { readonly origins: readonly [string, string]; readonly pids: readonly [number, number] };

/** Whatever the environment names for the tests. */
const RELEASE = ['--release', '2.19.6'];
/** As OpenSearch comes. */
const HEAP = '1g';
/** The first start fetches the jars and compiles the launcher. */
const START_LIMIT_MS = 300_000;

/** What is not installed here of what a real OpenSearch needs; empty where it can be started. */
export function missingForOpenSearch(): readonly string[] {
  const script = new URL('../../../scripts/missing-for-opensearch.mjs', import.meta.url).pathname;
  return JSON.parse(spawnSync(process.execPath, [script], { encoding: 'utf8' }).stdout) as string[];
}

/** Ends the benchmark where a real OpenSearch cannot be started. */
export function needOpenSearch(): void {
  const missing = missingForOpenSearch();
  if (missing.length > 0)
    throw new Error(
      `${missing.join(', ')} not found: install a JDK 17 or newer and Maven to run this benchmark`,
    );
}

export async function startOpenSearch({
  cpus,
  settings = {},
}: OpenSearchOptions = {}): Promise<OpenSearchProcesses> {
  const { path: directory, remove } = temporaryDirectory();
  const script = new URL('../../../scripts/opensearch.mjs', import.meta.url).pathname;
  const own = Object.entries(settings).flatMap(([key, value]) => ['--setting', `${key}=${value}`]);
  const child = startChild(
    'opensearch',
    [
      process.execPath,
      script,
      ...RELEASE,
      '--port',
      '0',
      '--json',
      '--heap',
      HEAP,
      '--data',
      directory,
      ...own,
    ],
    { cpus, logFile: join(directory, 'start.log'), withOffspring: true },
  );
  const firstJson = (): string | undefined =>
    child
      .printed()
      .split('\n')
      .slice(0, -1)
      .find((line) => line.startsWith('{'));
  await until(child, () => Promise.resolve(firstJson() !== undefined), START_LIMIT_MS);
  const { origins, pids } = JSON.parse(firstJson() ?? '') as Started;
  const node = (name: string, at: 0 | 1): OpenSearchNode => ({
    ...{ name, origin: origins[at], pid: pids[at] },
    dataPath: join(directory, name),
  });
  return {
    nodes: [node('n1', 0), node('n2', 1)],
    async stop() {
      await child.stop();
      remove();
    },
  };
}

const SETTLE_MS = 500;

/**
 * An index of one shard, its primary on n1 and its replica on n2: made on n1 alone, then let go. With this every way of asking knows where the
 * primary is.
 */
export async function createIndex(
  origin: string,
  index: string,
  mappings: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const onN1 = { number_of_shards: 1, number_of_replicas: 0, 'routing.allocation.require._name': 'n1' };
  await mustCall('PUT', `${origin}/${index}`, { settings: { index: onN1 }, mappings });
  await green(origin, index);
  const free = { number_of_replicas: 1, 'routing.allocation.require._name': null };
  await mustCall('PUT', `${origin}/${index}/_settings`, { index: free });
  await delay(systemTimers, SETTLE_MS);
  await green(origin, index);
}

async function green(origin: string, index: string): Promise<void> {
  await mustCall('GET', `${origin}/_cluster/health/${index}?wait_for_status=green&timeout=30s`);
}
