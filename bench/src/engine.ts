// How many durable documents of 1 KB does the embedded engine take in a second, and what does feeding its text index cost the writes?
// Method: one shard copy on this machine's disk, requests straight into the engine (no HTTP, no replica), each client sends its next request
// when the last one is on disk. Every cell is measured in rounds that alternate between the ways of feeding; the median round counts.
// Feeding: `none` (the refresh timer never fires), `written` (as a node is that nobody searches), `searched` (a search every 200 ms).
// `--seconds n` per round (default 3), `--rounds n` (default 3), `--json` prints one object as the last line.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import {
  type AdmittedShardRequest,
  openDataDirectory,
  type SqliteEngine,
  sqliteEngine,
} from '@weir/datanode';
import {
  type IndexMetadata,
  type Operation,
  type ShardRequest,
  systemClock,
  systemRng,
  systemTimers,
  type Timers,
} from '@weir/shared';
import { ManualClock } from '@weir/shared/testing';
import { median, printJson, printTable, rounded, type TableRow } from './support/figures.ts';
import { logDocuments } from './support/log-documents.ts';

const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
  },
});
const ROUND_MS = Number(flags.seconds) * 1_000;
const WARM_UP_MS = 500;
const SEARCH_EVERY_MS = 200;
const LOADS = [
  { documents: 1, clients: 1 },
  { documents: 1, clients: 16 },
  { documents: 100, clients: 1 },
  { documents: 1_000, clients: 1 },
] as const;
const FEEDS = ['none', 'written', 'searched'] as const;

type Load = (typeof LOADS)[number];
type Feed = (typeof FEEDS)[number];
type Round = { readonly docsPerS: number; readonly commitMs: number; readonly loopDelayP99Ms: number };

const COPY = { index: 'bench', indexUuid: 'bench', shard: 0 };
const METADATA: IndexMetadata = {
  name: 'bench',
  uuid: 'bench',
  created_wall_ms: 0,
  number_of_shards: 1,
  number_of_replicas: 0,
  routing_num_shards: 1024,
  routing_partition_size: 1,
  settings: {},
  mappings: {},
  shards: [{ primary_term: 1, primary: null, replicas: [], lost: [] }],
};

const documents = logDocuments(5_000);
let nextId = 0;

function request(size: number): AdmittedShardRequest {
  const operations = Array.from({ length: size }, (): Operation => {
    const id = String(nextId++);
    return {
      kind: 'index',
      id: `AZ${id.padStart(18, '0')}`,
      autoId: true,
      routing: undefined,
      source: documents[nextId % documents.length] ?? Buffer.from('{}'),
      ifSeqNo: undefined,
      ifPrimaryTerm: undefined,
      version: undefined,
      versionType: 'internal',
      retryOnConflict: 0,
      returnSource: false,
    };
  });
  const shardRequest: ShardRequest = {
    ...COPY,
    primaryTerm: 1,
    operations,
    bytes: 0,
    digest: 0,
    timeoutMs: 60_000,
    waitForActiveShards: 1,
    refresh: 'false',
    requestId: '',
    opaqueId: undefined,
    traceId: undefined,
  };
  // The guard is not what is measured.
  return shardRequest as AdmittedShardRequest;
}

async function measure(load: Load, feed: Feed): Promise<Round> {
  const path = mkdtempSync(join(tmpdir(), 'weir-bench-'));
  const directory = openDataDirectory(path, systemRng);
  const timers: Timers = feed === 'none' ? new ManualClock() : systemTimers;
  const engine = await sqliteEngine({ directory, clock: systemClock, timers });
  try {
    await engine.openCopy(COPY, METADATA);
    const stopSearching =
      feed === 'searched' ? systemTimers.every(SEARCH_EVERY_MS, () => void search(engine)) : () => {};
    await run(engine, load, WARM_UP_MS);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const docsPerS = await run(engine, load, ROUND_MS);
    delay.disable();
    stopSearching();
    return {
      docsPerS,
      commitMs: engine.commitLatencyMs ?? 0,
      loopDelayP99Ms: delay.percentile(99) / 1e6 - 1,
    };
  } finally {
    await engine.close();
    directory.release();
    rmSync(path, { recursive: true, force: true });
  }
}

async function search(engine: SqliteEngine): Promise<void> {
  const query = { match: { message: 'a' } };
  await engine.search(COPY, { query, from: 0, size: 10, sort: undefined, trackTotalHits: true });
}

async function run(engine: SqliteEngine, load: Load, durationMs: number): Promise<number> {
  const startMs = systemClock.nowMs();
  let written = 0;
  const client = async (): Promise<void> => {
    while (systemClock.nowMs() - startMs < durationMs) {
      await engine.applyPrimary(request(load.documents));
      written += load.documents;
    }
  };
  await Promise.all(Array.from({ length: load.clients }, client));
  return (written / (systemClock.nowMs() - startMs)) * 1_000;
}

async function main(): Promise<void> {
  const cells: TableRow[] = [];
  for (const load of LOADS) {
    const rounds = new Map<Feed, Round[]>(FEEDS.map((feed) => [feed, []]));
    for (let round = 0; round < Number(flags.rounds); round++)
      for (const feed of FEEDS) rounds.get(feed)?.push(await measure(load, feed));
    const docsPerS = (feed: Feed): number => median((rounds.get(feed) ?? []).map((round) => round.docsPerS));
    for (const feed of FEEDS) {
      const measured = rounds.get(feed) ?? [];
      cells.push({
        docs_per_request: load.documents,
        clients: load.clients,
        feed,
        docs_per_s: Math.round(docsPerS(feed)),
        ratio_to_none: rounded(docsPerS(feed) / docsPerS('none'), 2),
        commit_ms: rounded(median(measured.map(({ commitMs }) => commitMs)), 2),
        loop_delay_p99_ms: rounded(median(measured.map(({ loopDelayP99Ms }) => loopDelayP99Ms)), 1),
      });
    }
  }
  printTable(cells);
  if (flags.json) printJson({ cells });
}

await main();
