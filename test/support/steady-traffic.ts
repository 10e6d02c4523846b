// Bulks without pause from several clients, with what the cluster answered for each document.
import type { Answer, HttpCalls } from './http-calls.ts';

type ItemOutcome = { readonly status: number; readonly type: string | undefined };

export type Traffic = {
  /** Newest outcome by document id; every id is sent once. */
  readonly outcomes: ReadonlyMap<string, ItemOutcome>;
  /** Requests that had no answer, with the reason. */
  readonly failures: readonly string[];
  /** Milliseconds each bulk took, by the moment it was sent. */
  readonly tookMs: readonly { readonly atMs: number; readonly ms: number }[];
  /** Ids of the documents that were acknowledged. */
  acknowledged(): readonly string[];
  /** Resolves once the bulks in flight are answered. */
  stop(): Promise<void>;
};

export type TrafficOptions = {
  readonly calls: HttpCalls;
  readonly index: string;
  /** Begins every id. */
  readonly prefix: string;
  readonly clients: number;
  readonly bulkSize: number;
};

type Items = readonly Readonly<Record<string, { _id: string; status: number; error?: { type: string } }>>[];

/** Starts at once and goes on until it is stopped. */
export function steadyTraffic({ calls, index, prefix, clients, bulkSize }: TrafficOptions): Traffic {
  const outcomes = new Map<string, ItemOutcome>();
  const failures: string[] = [];
  const tookMs: { atMs: number; ms: number }[] = [];
  let stopped = false;
  let sent = 0;
  const takeAnswer = ({ status, body, text }: Answer): void => {
    if (status !== 200) failures.push(`${status}: ${text.slice(0, 300)}`);
    for (const item of (body['items'] ?? []) as Items)
      for (const { _id, status: itemStatus, error } of Object.values(item))
        outcomes.set(_id, { status: itemStatus, type: error?.type });
  };
  const client = async (): Promise<void> => {
    while (!stopped) {
      const lines = Array.from({ length: bulkSize }, () => {
        sent += 1;
        return [{ index: { _id: `${prefix}-${sent}` } }, { n: sent, text: 'x'.repeat(200) }];
      }).flat();
      const atMs = performance.now();
      try {
        takeAnswer(await calls.bulk(`/${index}/_bulk`, ...lines));
      } catch (error) {
        failures.push(String(error));
      }
      tookMs.push({ atMs, ms: performance.now() - atMs });
    }
  };
  const running = Array.from({ length: clients }, client);
  return {
    ...{ outcomes, failures, tookMs },
    acknowledged: () => [...outcomes].filter(([, { status }]) => status < 300).map(([id]) => id),
    async stop() {
      stopped = true;
      await Promise.all(running);
    },
  };
}
