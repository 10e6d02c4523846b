// What a data node publishes of itself, as it crosses the wire; unknown keys are ignored so that versions can mix.
import { z } from 'zod';
import { QUALITIES } from '../admission/signals.ts';

const finite = z.number().refine(Number.isFinite);
const nonNegative = finite.min(0);

const averagedSignal = z.object({
  /** Fast average (τ 2 s) in percent. */
  fast: nonNegative,
  /** Slow average (τ 10 s) in percent. */
  slow: nonNegative,
  quality: z.enum(QUALITIES),
});

/** Bytes in flight by stage, current and since start, as OpenSearch's indexing_pressure counts them. */
const bytesByStage = z.object({ coordinating: nonNegative, primary: nonNegative, replica: nonNegative });

export const nodeStatsSchema = z.object({
  /** Stable identity of the data directory. */
  id: z.string().min(1).max(64),
  name: z.string().min(1).max(255),
  /** Base URL of the node's internal HTTP interface, such as http://127.0.0.1:9300. */
  address: z.string().max(300),
  /** Changes with every start; a new one resets everything derived from counters. */
  boot_id: z.string().min(1).max(64),
  /** Rises by one with every sample of this boot. */
  seq: z.number().int().min(0),
  /** The node is shutting down and takes no new work. */
  draining: z.boolean(),
  /** A missing signal is unknown. */
  signals: z
    .object({ cpu: averagedSignal, heap: averagedSignal, io: averagedSignal, event_loop: averagedSignal })
    .partial(),
  /** Work waiting and in service now (1 + KiB of source per operation), primaries and replicas together. */
  work: nonNegative,
  /** Operations waiting and in service now. */
  operations_waiting: nonNegative,
  /** Age of the oldest waiting item in ms; 0 when nothing waits. */
  oldest_waiting_ms: nonNegative,
  /** Work completed per second while busy, the last rate seen while busy; null before the first completion. */
  drain_per_s: nonNegative.nullable(),
  /** Work accepted since boot, in the same unit as `work`. */
  accepted_total: nonNegative,
  /** Operations completed since boot. */
  completed_total: nonNegative,
  in_flight_bytes: bytesByStage,
  /** Byte limit of coordinating + primary + replica, and of replica alone. */
  limit_bytes: z.object({ primary: nonNegative, replica: nonNegative }),
  /** Version of the settings this node has applied. */
  settings_version: z.number().int().min(0),
});

/** One published reading of a data node. */
export type NodeStats = z.infer<typeof nodeStatsSchema>;
/** One averaged signal of a reading. */
export type AveragedSignal = z.infer<typeof averagedSignal>;
