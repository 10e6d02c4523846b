// What an agent reads in its OpenSearch node's stats, and what each figure says of the node.
import { z } from 'zod';
import type { PoolFigures } from './write-pool.ts';

const memSchema = z.object({
  heap_used_in_bytes: z.number(),
  heap_max_in_bytes: z.number(),
  pools: z
    .object({
      old: z
        .object({
          used_in_bytes: z.number(),
          last_gc_stats: z.object({ used_in_bytes: z.number() }).optional(),
        })
        .optional(),
    })
    .default({}),
});

/** All but the name may be missing: a metric that a node does not tell is unknown. */
const nodeSchema = z.object({
  name: z.string().min(1),
  os: z.object({ timestamp: z.number(), cpu: z.object({ percent: z.number() }) }).optional(),
  jvm: z.object({ mem: memSchema }).optional(),
  thread_pool: z
    .object({ write: z.object({ queue: z.number(), active: z.number(), completed: z.number() }).optional() })
    .optional(),
  fs: z
    .object({
      timestamp: z.number(),
      io_stats: z
        .object({ total: z.object({ io_time_in_millis: z.number() }).partial() })
        .partial()
        .optional(),
      total: z.object({ available_in_bytes: z.number() }).partial().optional(),
    })
    .optional(),
});

const answerSchema = z.object({ nodes: z.record(z.string(), nodeSchema) });

/** Only what is used crosses the wire. */
export const STATS_PATH = `/_nodes/_local/stats/os,jvm,thread_pool,fs?filter_path=${[
  'name',
  'os.timestamp',
  'os.cpu.percent',
  'jvm.mem.heap_used_in_bytes',
  'jvm.mem.heap_max_in_bytes',
  'jvm.mem.pools.old',
  'thread_pool.write',
  'fs.timestamp',
  'fs.io_stats.total.io_time_in_millis',
  'fs.total.available_in_bytes',
]
  .map((path) => `nodes.*.${path}`)
  .join(',')}`;

/** One reading of a node; what it did not tell is undefined. */
export type NodeFigures = {
  readonly id: string;
  readonly name: string;
  readonly cpuPercent: number | undefined;
  readonly heapPercent: number | undefined;
  readonly heapMaxBytes: number | undefined;
  /** Busy time of the data path's devices, and when it was read, by the node's own clock. */
  readonly ioBusy: { readonly busyMs: number; readonly readAtMs: number } | undefined;
  readonly writePool: PoolFigures | undefined;
  readonly freeDiskBytes: number | undefined;
};

/** The figures in an answer to STATS_PATH, or undefined where it is not one. */
export function nodeFigures(answer: unknown): NodeFigures | undefined {
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) return undefined;
  const [entry] = Object.entries(parsed.data.nodes);
  if (entry === undefined) return undefined;
  const [id, { name, os, jvm, thread_pool, fs }] = entry;
  const busyMs = known(fs?.io_stats?.total?.io_time_in_millis);
  return {
    ...{ id, name },
    cpuPercent: known(os?.cpu.percent),
    heapPercent: heapPercent(jvm?.mem),
    heapMaxBytes: known(jvm?.mem.heap_max_in_bytes),
    ioBusy: fs === undefined || busyMs === undefined ? undefined : { busyMs, readAtMs: fs.timestamp },
    writePool: thread_pool?.write,
    freeDiskBytes: known(fs?.total?.available_in_bytes),
  };
}

/** OpenSearch says −1 where it cannot read a figure. */
function known(value: number | undefined): number | undefined {
  return value === undefined || value < 0 ? undefined : value;
}

/**
 * What a collection left in the old generation where the JVM tells it; else what is in there now (G1 leaves last_gc_stats of old at 0
 * until a mixed collection, and what is old has survived collections anyway); else the whole heap in use.
 */
function heapPercent(mem: z.infer<typeof memSchema> | undefined): number | undefined {
  if (mem === undefined || mem.heap_max_in_bytes <= 0) return undefined;
  const { old } = mem.pools;
  const left = old?.last_gc_stats?.used_in_bytes ?? 0;
  const used = left > 0 ? left : (old?.used_in_bytes ?? mem.heap_used_in_bytes);
  return Math.min(100, (used / mem.heap_max_in_bytes) * 100);
}
