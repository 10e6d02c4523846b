// What a coordinator may ask about one shard copy beside writes: documents, hits, counts, a refresh, its stats.
import {
  type CopyRequest,
  type CopyStatsAnswer,
  type CountAnswer,
  copyRequestSchema,
  countRequestSchema,
  type GetAnswer,
  getRequestSchema,
  INTERNAL_PATHS,
  type RouteSpec,
  route,
  type SearchAnswer,
  searchRequestSchema,
} from '@weir/shared';
import type { Request } from 'express';
import type { z } from 'zod';
import type { CopyRef, Engine, ShardHits, StoredDocument } from '../engine/engine.ts';
import { parseBody } from '../http/parse-body.ts';

export type ReadPorts = {
  readonly engine: Engine;
  /** Makes sure that this node holds the copy and has it open; throws `no_shard_available` or `index_not_found` otherwise. */
  readonly openForRead: (copy: CopyRef) => Promise<void>;
  /** The whole body of an internal request, within a hard limit. */
  readonly body: (request: Request) => Promise<Buffer>;
};

/** Routes of the internal read interface. */
export function readRoutes(ports: ReadPorts): RouteSpec[] {
  const read = <Schema extends z.ZodType<CopyRequest>>(
    path: string,
    schema: Schema,
    answer: (asked: z.infer<Schema>, copy: CopyRef) => Promise<unknown>,
  ): RouteSpec =>
    route('POST', path, async (request, response) => {
      const asked = parseBody(await ports.body(request), schema);
      const copy = { index: asked.index, indexUuid: asked.index_uuid, shard: asked.shard };
      await ports.openForRead(copy);
      response.json(await answer(asked, copy));
    });
  const { engine } = ports;
  return [
    read(INTERNAL_PATHS.get, getRequestSchema, async ({ ids }, copy) => ({
      documents: (await engine.get(copy, ids)).map((document) => (document ? documentOf(document) : null)),
    })),
    read(
      INTERNAL_PATHS.search,
      searchRequestSchema,
      async ({ query, from, size, sort, track_total_hits }, copy) =>
        hitsOf(await engine.search(copy, { query, from, size, sort, trackTotalHits: track_total_hits })),
    ),
    read(
      INTERNAL_PATHS.count,
      countRequestSchema,
      async ({ query }, copy): Promise<CountAnswer> => ({ count: await engine.count(copy, query) }),
    ),
    read(INTERNAL_PATHS.refresh, copyRequestSchema, async (_asked, copy) => {
      await engine.refresh(copy);
      return {};
    }),
    read(INTERNAL_PATHS.copyStats, copyRequestSchema, (_asked, copy) => copyStats(engine, copy)),
  ];
}

function documentOf(document: StoredDocument): NonNullable<GetAnswer['documents'][number]> {
  return {
    id: document.id,
    ...routingOf(document),
    source: document.source.toString(),
    version: document.version,
    seq_no: document.seqNo,
    primary_term: document.primaryTerm,
  };
}

function hitsOf({ total, maxScore, hits }: ShardHits): SearchAnswer {
  return {
    total,
    max_score: maxScore,
    hits: hits.map((hit) => ({
      id: hit.id,
      score: hit.score,
      ...routingOf(hit),
      source: hit.source.toString(),
      sort: [...hit.sort],
    })),
  };
}

function routingOf({ routing }: { readonly routing: string | undefined }): { routing?: string } {
  return routing === undefined ? {} : { routing };
}

async function copyStats(engine: Engine, copy: CopyRef): Promise<CopyStatsAnswer> {
  const { docs, deleted, storeBytes, maxSeqNo, primaryTerm } = await engine.stats(copy);
  return { docs, deleted, store_bytes: storeBytes, max_seq_no: maxSeqNo, primary_term: primaryTerm };
}
