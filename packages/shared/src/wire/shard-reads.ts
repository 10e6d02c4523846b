// What a coordinator asks a data node about one shard copy beside writes, and what it is answered; JSON both ways.
import { z } from 'zod';

/** Paths of the internal interface of data nodes (`primary`) and agents (`bulk`); every one is a POST. */
export const INTERNAL_PATHS = {
  primary: '/_weir/internal/primary',
  bulk: '/_weir/internal/bulk',
  replica: '/_weir/internal/replica',
  reserve: '/_weir/internal/reserve',
  release: '/_weir/internal/release',
  get: '/_weir/internal/get',
  search: '/_weir/internal/search',
  count: '/_weir/internal/count',
  refresh: '/_weir/internal/refresh',
  copyStats: '/_weir/internal/copy-stats',
} as const;

const copy = { index: z.string(), index_uuid: z.string(), shard: z.number().int().min(0) };

export const copyRequestSchema = z.object(copy);
export const getRequestSchema = z.object({ ...copy, ids: z.array(z.string()) });
export const countRequestSchema = z.object({ ...copy, query: z.unknown().optional() });
export const searchRequestSchema = z.object({
  ...copy,
  query: z.unknown().optional(),
  from: z.number().int().min(0),
  size: z.number().int().min(0),
  sort: z.unknown().optional(),
  track_total_hits: z.boolean(),
});

const document = z.object({
  id: z.string(),
  routing: z.string().optional(),
  /** The stored bytes as UTF-8 text, never parsed on the way. */
  source: z.string(),
  version: z.number(),
  seq_no: z.number(),
  primary_term: z.number(),
});

const hit = z.object({
  id: z.string(),
  score: z.number().nullable(),
  routing: z.string().optional(),
  source: z.string(),
  sort: z.array(z.union([z.string(), z.number(), z.null()])),
});

/** In the order of the ids asked for; null where there is no document. */
export const getAnswerSchema = z.object({ documents: z.array(document.nullable()) });
export const searchAnswerSchema = z.object({
  total: z.number(),
  max_score: z.number().nullable(),
  hits: z.array(hit),
});
export const countAnswerSchema = z.object({ count: z.number() });
export const copyStatsAnswerSchema = z.object({
  docs: z.number(),
  deleted: z.number(),
  store_bytes: z.number(),
  max_seq_no: z.number(),
  primary_term: z.number(),
});

export type CopyRequest = z.infer<typeof copyRequestSchema>;
export type GetRequest = z.infer<typeof getRequestSchema>;
export type CountRequest = z.infer<typeof countRequestSchema>;
export type SearchRequest = z.infer<typeof searchRequestSchema>;
export type GetAnswer = z.infer<typeof getAnswerSchema>;
export type SearchAnswer = z.infer<typeof searchAnswerSchema>;
export type CountAnswer = z.infer<typeof countAnswerSchema>;
export type CopyStatsAnswer = z.infer<typeof copyStatsAnswerSchema>;
