// Clients that write numbered documents without end, every other one without an id, and remember what they were told of each.
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from './eventually.ts';
import { ask } from './real-opensearch.ts';

export type NumberedWrites = {
  readonly acknowledged: readonly number[];
  /** Told that they failed. */
  readonly failed: readonly { readonly n: number; readonly why: string }[];
  /** Whose request had no answer. */
  readonly unanswered: readonly number[];
  /** Resolves once so many more were acknowledged. */
  more(count: number): Promise<void>;
  /** Resolves once all that was sent is answered. */
  stop(): Promise<void>;
};

type Item = { readonly index: { readonly status: number; readonly error?: unknown } };

const BULK_SIZE = 6;
const PAUSE_MS = 20;

/** A client at each origin; one without an answer sends its next bulk to the next origin. */
export function numberedWrites(origins: readonly string[], index: string): NumberedWrites {
  const acknowledged: number[] = [];
  const failed: { n: number; why: string }[] = [];
  const unanswered: number[] = [];
  let newest = 0;
  let stopped = false;

  async function bulk(origin: string): Promise<boolean> {
    const numbers = Array.from({ length: BULK_SIZE }, () => (newest += 1));
    const lines = numbers.map((n) => `{"index":{${n % 2 === 0 ? `"_id":"${n}"` : ''}}}\n{"n":${n}}\n`);
    const answer = await ask(
      origin,
      'POST',
      `/${index}/_bulk?timeout=30s`,
      Buffer.from(lines.join('')),
    ).catch(() => undefined);
    if (answer === undefined) {
      unanswered.push(...numbers);
      return false;
    }
    const items = (answer.json as { items?: readonly Item[] } | undefined)?.items ?? [];
    numbers.forEach((n, place) => {
      const item = items[place]?.index;
      if (item?.status === 201) acknowledged.push(n);
      else failed.push({ n, why: item === undefined ? answer.text : JSON.stringify(item) });
    });
    return true;
  }

  async function client(first: number): Promise<void> {
    for (let at = first; !stopped; await sleep(PAUSE_MS)) {
      const answered = await bulk(origins[at % origins.length] ?? '');
      if (!answered) at += 1;
    }
  }

  const clients = origins.map((_, first) => client(first));
  return {
    ...{ acknowledged, failed, unanswered },
    async more(count) {
      const wanted = acknowledged.length + count;
      await eventually(() => acknowledged.length >= wanted, 60_000);
    },
    async stop() {
      stopped = true;
      await Promise.all(clients);
    },
  };
}

/** How often each number is stored. The index has to allow results of this size. */
export async function storedNumbers(origin: string, index: string): Promise<ReadonlyMap<number, number>> {
  await ask(origin, 'POST', `/${index}/_refresh`);
  const { json } = await ask(origin, 'GET', `/${index}/_search?size=${MOST_RESULTS}&_source=n`);
  const { hits } = (json as { hits: { hits: { _source: { n: number } }[] } }).hits;
  const counts = new Map<number, number>();
  for (const { _source } of hits) counts.set(_source.n, (counts.get(_source.n) ?? 0) + 1);
  return counts;
}

/** For the setting index.max_result_window. */
export const MOST_RESULTS = 200_000;
