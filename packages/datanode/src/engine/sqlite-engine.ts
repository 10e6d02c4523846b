// The engine on SQLite: one thread writes, one reads, one feeds the text indexes; one database per shard copy.
import { stat } from 'node:fs/promises';
import type { IndexMetadata } from '@weir/shared';
import type { Clock, Timers } from '@weir/shared/clock';
import type { WeirError } from '@weir/shared/errors';
import type { AdmittedReplicaRequest, AdmittedShardRequest } from '../shard/admitted.ts';
import { listCopies } from './copy-files.ts';
import type { DataDirectory } from './data-directory.ts';
import type {
  CopyRef,
  CopyStats,
  Engine,
  PrimaryOutcome,
  ShardHits,
  ShardSearch,
  StoredDocument,
} from './engine.ts';
import { FeedSchedule } from './feed-schedule.ts';
import { OpenCopies } from './open-copies.ts';
import { RecentCommits } from './recent-commits.ts';
import { checkSearch } from './search/check-search.ts';
import { needsIndex } from './search/plan-search.ts';
import type { CopySearch, Found } from './search/run-search.ts';
import type { DocumentRow } from './search/searchable-copy.ts';
import { EngineThreads } from './threads/engine-threads.ts';
import { packOperations } from './threads/pack-operations.ts';
import { packReplicaOperations } from './threads/pack-replica-operations.ts';
import { asBuffer, unpackResults } from './threads/pack-results.ts';
import type { Written } from './threads/writer-calls.ts';

export type SqliteEngineOptions = {
  /** Held by this process; the engine keeps its files under it and does not release it. */
  readonly directory: DataDirectory;
  readonly clock: Clock;
  readonly timers: Timers;
};

/** The engine with what signals and readiness need to see of it. */
export interface SqliteEngine extends Engine {
  /** Median time of the newest commits; undefined before the first. */
  readonly commitLatencyMs: number | undefined;
  /** Why the engine has stopped working for good; undefined while it works. */
  readonly failure: WeirError | undefined;
}

/** Starts the threads. No copy is open yet: `listCopies` tells which there are. */
export async function sqliteEngine({ directory, clock, timers }: SqliteEngineOptions): Promise<SqliteEngine> {
  const threads = new EngineThreads();
  const feed = new FeedSchedule((key) => threads.indexer.call('feed', { key }), clock, timers);
  return new ThreadedEngine(directory.path, threads, feed);
}

class ThreadedEngine implements SqliteEngine {
  readonly #dataPath: string;
  readonly #threads: EngineThreads;
  readonly #feed: FeedSchedule;
  readonly #copies: OpenCopies;
  readonly #commits = new RecentCommits();

  constructor(dataPath: string, threads: EngineThreads, feed: FeedSchedule) {
    this.#dataPath = dataPath;
    this.#threads = threads;
    this.#feed = feed;
    this.#copies = new OpenCopies(dataPath, threads, feed);
  }

  get commitLatencyMs(): number | undefined {
    return this.#commits.medianMs();
  }

  get failure(): WeirError | undefined {
    return this.#threads.failure;
  }

  openCopy(copy: CopyRef, metadata: IndexMetadata): Promise<void> {
    return this.#copies.open(copy, metadata);
  }

  removeCopy(copy: CopyRef): Promise<void> {
    return this.#copies.remove(copy);
  }

  listCopies(): Promise<readonly CopyRef[]> {
    return listCopies(this.#dataPath);
  }

  async applyPrimary(request: AdmittedShardRequest): Promise<PrimaryOutcome> {
    const { key } = this.#copies.of(request);
    const { primaryTerm } = request;
    const operations = packOperations(request.operations);
    const { writer } = this.#threads;
    const written = await writer.call('primary', { key, primaryTerm, operations }, [operations.sources]);
    this.#note(key, written);
    return unpackResults(request.operations, written.results);
  }

  async applyReplica(request: AdmittedReplicaRequest): Promise<void> {
    const { key } = this.#copies.of(request);
    const { primaryTerm } = request;
    const operations = packReplicaOperations(request.operations);
    const { writer } = this.#threads;
    this.#note(key, await writer.call('replica', { key, primaryTerm, operations }, [operations.sources]));
  }

  async get(copy: CopyRef, ids: readonly string[]): Promise<readonly (StoredDocument | undefined)[]> {
    const { key } = this.#copies.of(copy);
    const rows = await this.#threads.reader.call('get', { key, ids });
    return rows.map((row) => (row === undefined ? undefined : documentOf(row)));
  }

  async search(copy: CopyRef, search: ShardSearch): Promise<ShardHits> {
    const { total, maxScore, hits } = await this.#find(copy, checkSearch(search));
    return {
      total,
      maxScore,
      hits: hits.map(({ row, score, sort }) => ({
        id: row.id,
        score,
        routing: row.routing ?? undefined,
        source: asBuffer(row.source),
        sort,
      })),
    };
  }

  async count(copy: CopyRef, query: unknown): Promise<number> {
    const search = checkSearch({ query, from: 0, size: 0, sort: undefined, trackTotalHits: true });
    return (await this.#find(copy, search)).total;
  }

  refresh(copy: CopyRef): Promise<void> {
    return this.#feed.refresh(this.#copies.of(copy).key);
  }

  async stats(copy: CopyRef): Promise<CopyStats> {
    const { key, files } = this.#copies.of(copy);
    const counters = await this.#threads.reader.call('counters', { key });
    const sizes = await Promise.all(
      [files.documents, `${files.documents}-wal`, files.search, `${files.search}-wal`].map(sizeOf),
    );
    return {
      docs: counters.docs,
      deleted: counters.deleted,
      storeBytes: sizes.reduce((sum, bytes) => sum + bytes, 0),
      maxSeqNo: counters.max_seq_no,
      primaryTerm: counters.primary_term,
    };
  }

  async close(): Promise<void> {
    this.#feed.stop();
    await this.#threads.close();
  }

  async #find(copy: CopyRef, search: CopySearch): Promise<Found> {
    const { key } = this.#copies.of(copy);
    if (needsIndex(search.query)) await this.#feed.beforeSearch(key);
    return this.#threads.reader.call('search', { key, ...search });
  }

  #note(key: string, { changes, commitMs }: Written): void {
    this.#feed.applied(key, changes);
    if (commitMs !== undefined) this.#commits.add(commitMs);
  }
}

function documentOf(row: DocumentRow): StoredDocument {
  return {
    id: row.id,
    routing: row.routing ?? undefined,
    source: asBuffer(row.source),
    version: row.version,
    seqNo: row.seq_no,
    primaryTerm: row.primary_term,
  };
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}
