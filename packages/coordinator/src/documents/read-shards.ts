// Asks one serving copy of each shard, and the next copy where one cannot answer.
import {
  type CopyMetadata,
  type CopyStatsAnswer,
  copyStatsAnswerSchema,
  countAnswerSchema,
  type GetAnswer,
  getAnswerSchema,
  INTERNAL_PATHS,
  type IndexMetadata,
  type SearchAnswer,
  type SearchRequest,
  searchAnswerSchema,
  toWeirError,
  WeirError,
} from '@weir/shared';
import { z } from 'zod';
import { type DataNodeCalls, postToDataNode } from '../cluster/call-data-node.ts';
import type { IsLive } from '../cluster/shard-copies.ts';
import type { Topology } from '../cluster/topology.ts';

/** One shard of an index. */
export type ShardRef = { readonly index: IndexMetadata; readonly shard: number };

export type SearchOfShard = Omit<SearchRequest, 'index' | 'index_uuid' | 'shard'>;

/** A refresh after a large load cuts millions of words; whoever asks for one waits until it is done. */
const REFRESH_TIMEOUT_MS = 600_000;

export class ReadShards {
  readonly #topology: Pick<Topology, 'node' | 'refreshSoon'>;
  readonly #calls: DataNodeCalls;
  readonly #isLive: IsLive;
  /** Searches begin at another copy each time, so that all of them carry some. */
  #turn = 0;

  constructor(topology: Pick<Topology, 'node' | 'refreshSoon'>, calls: DataNodeCalls, isLive: IsLive) {
    this.#topology = topology;
    this.#calls = calls;
    this.#isLive = isLive;
  }

  /** Documents by id, in the order asked for; the primary is asked first, since it knows a write before anybody was told of it. */
  async documents(ref: ShardRef, ids: readonly string[]): Promise<GetAnswer['documents']> {
    const { documents } = await this.#ask(ref, 0, INTERNAL_PATHS.get, { ids }, getAnswerSchema);
    return documents;
  }

  search(ref: ShardRef, search: SearchOfShard): Promise<SearchAnswer> {
    return this.#ask(ref, this.#nextTurn(), INTERNAL_PATHS.search, search, searchAnswerSchema);
  }

  async count(ref: ShardRef, query: unknown): Promise<number> {
    const answer = await this.#ask(ref, this.#nextTurn(), INTERNAL_PATHS.count, { query }, countAnswerSchema);
    return answer.count;
  }

  /** Asks this very copy. */
  refresh(ref: ShardRef, copy: CopyMetadata): Promise<unknown> {
    return this.#askCopy(ref, copy, INTERNAL_PATHS.refresh, {}, z.unknown(), REFRESH_TIMEOUT_MS);
  }

  /** Asks this very copy. */
  copyStats(ref: ShardRef, copy: CopyMetadata): Promise<CopyStatsAnswer> {
    return this.#askCopy(ref, copy, INTERNAL_PATHS.copyStats, {}, copyStatsAnswerSchema);
  }

  #nextTurn(): number {
    this.#turn += 1;
    return this.#turn;
  }

  /** The first copy that answers. What the client got wrong is wrong at every copy. */
  async #ask<Schema extends z.ZodType>(
    ref: ShardRef,
    turn: number,
    path: string,
    body: object,
    schema: Schema,
  ): Promise<z.infer<Schema>> {
    let failure = new WeirError('no_shard_available', `No shard available for [${shardName(ref)}]`);
    for (const copy of this.#copies(ref, turn)) {
      try {
        return await this.#askCopy(ref, copy, path, body, schema);
      } catch (thrown) {
        failure = toWeirError(thrown);
        if (failure.status < 500 && failure.status !== 404) throw failure;
        this.#topology.refreshSoon();
      }
    }
    throw failure;
  }

  #copies({ index, shard }: ShardRef, turn: number): readonly CopyMetadata[] {
    const table = index.shards[shard];
    if (table === undefined) return [];
    const all = table.primary === null ? table.replicas : [table.primary, ...table.replicas];
    const live = all.filter((copy) => this.#isLive(copy.node));
    const start = live.length === 0 ? 0 : turn % live.length;
    return [...live.slice(start), ...live.slice(0, start)];
  }

  #askCopy<Schema extends z.ZodType>(
    ref: ShardRef,
    copy: CopyMetadata,
    path: string,
    body: object,
    schema: Schema,
    timeoutMs: number = this.#calls.timeoutMs,
  ): Promise<z.infer<Schema>> {
    const node = this.#topology.node(copy.node);
    if (node === undefined)
      return Promise.reject(
        new WeirError('no_shard_available', `[${shardName(ref)}]: node [${copy.node}] is not known`),
      );
    const target = { index: ref.index.name, index_uuid: ref.index.uuid, shard: ref.shard };
    return postToDataNode({ ...this.#calls, timeoutMs }, node.address, path, { ...target, ...body }, schema);
  }
}

/** `logs[2]`, for messages. */
function shardName({ index, shard }: ShardRef): string {
  return `${index.name}][${shard}`;
}
