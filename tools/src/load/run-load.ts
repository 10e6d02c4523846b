// Loads documents with several bulks in flight, at a rate if one is given, and sends refused ones again when the server is ready for them.
import type { Clock } from '@weir/shared';
import { delay, type Timers } from '@weir/shared';
import type { LoadDocument } from './documents.ts';
import type { BulkResult } from './send-bulk.ts';

export type LoadProgress = {
  sent: number;
  accepted: number;
  /** Refusals seen, each time a document is refused once more. */
  refused: number;
  failed: number;
  /** Bulks sent again, whole or in part. */
  retries: number;
  firstFailure: string | undefined;
};

export type LoadOptions = {
  readonly documents: AsyncIterable<LoadDocument>;
  readonly bulk: number;
  readonly concurrency: number;
  readonly rate: number | undefined;
  readonly send: (documents: readonly LoadDocument[]) => Promise<BulkResult>;
  readonly clock: Clock;
  readonly timers: Timers;
};

/** Wait before a retry where the server asks for nothing: doubled each time up to the last. */
const FIRST_WAIT_MS = 200;
const LAST_WAIT_MS = 10_000;
/** A bulk none of whose documents gets through in so many tries in a row has failed: about ten minutes at the longest wait. */
const MAX_FRUITLESS_TRIES = 60;

/** Loads everything; `progress` is kept up to date meanwhile. */
export async function runLoad(options: LoadOptions, progress: LoadProgress): Promise<void> {
  const batches = batchesOf(options);
  const worker = async (): Promise<void> => {
    for (;;) {
      const next = await batches.next();
      if (next.done === true) return;
      await deliver(next.value, options, progress);
    }
  };
  await Promise.all(Array.from({ length: options.concurrency }, worker));
}

export function noProgress(): LoadProgress {
  return { sent: 0, accepted: 0, refused: 0, failed: 0, retries: 0, firstFailure: undefined };
}

/** Bulks in order, each not before its time where a rate is given; a generator serves its readers one after the other. */
async function* batchesOf({
  documents,
  bulk,
  rate,
  clock,
  timers,
}: LoadOptions): AsyncGenerator<readonly LoadDocument[], void> {
  let batch: LoadDocument[] = [];
  let dueMs = clock.nowMs();
  const paced = async (full: readonly LoadDocument[]): Promise<readonly LoadDocument[]> => {
    const waitMs = dueMs - clock.nowMs();
    if (waitMs > 0) await delay(timers, waitMs);
    // Time that was lost is not made up for: a stall must not be followed by a burst.
    if (rate !== undefined) dueMs = Math.max(dueMs, clock.nowMs()) + (full.length / rate) * 1000;
    return full;
  };
  for await (const document of documents) {
    batch.push(document);
    if (batch.length < bulk) continue;
    yield await paced(batch);
    batch = [];
  }
  if (batch.length > 0) yield await paced(batch);
}

/** Sends a bulk until every document of it is accepted or has failed. */
async function deliver(
  batch: readonly LoadDocument[],
  { send, timers }: LoadOptions,
  progress: LoadProgress,
): Promise<void> {
  progress.sent += batch.length;
  let pending = batch;
  let fruitless = 0;
  while (pending.length > 0) {
    const result = await send(pending);
    progress.accepted += result.accepted;
    progress.refused += result.refused;
    progress.failed += result.failed;
    progress.firstFailure ??= result.failed > 0 ? result.firstFailure : undefined;
    fruitless = result.again.length < pending.length ? 0 : fruitless + 1;
    pending = result.again;
    if (pending.length === 0) return;
    if (fruitless >= MAX_FRUITLESS_TRIES) {
      progress.failed += pending.length;
      progress.firstFailure ??= `gave up after ${fruitless} tries: ${result.firstFailure ?? 'refused'}`;
      return;
    }
    progress.retries += 1;
    await delay(timers, result.waitMs ?? Math.min(LAST_WAIT_MS, FIRST_WAIT_MS * 2 ** fruitless));
  }
}
