// Clients of one origin on kept connections: each sends its next request when the last was answered, and every answer's time is kept.
import { systemClock } from '@weir/shared';
import { Client } from 'undici';

/** What an answer is worth: documents that were stored, or read, and those that were refused. */
export type Worth = { readonly documents: number; readonly refused: number };
export type Exchange = (client: Client) => Promise<Worth>;

export type Round = {
  /** Of the requests that were not refused. */
  readonly latenciesMs: readonly number[];
  readonly perS: number;
  readonly documents: number;
  readonly refused: number;
};

export class KeptClients {
  readonly #clients: readonly Client[];

  constructor(origin: string, most: number) {
    this.#clients = Array.from({ length: most }, () => new Client(origin));
  }

  /** The first `count` clients at once; each ends with the answer that comes after the time is up. */
  async run(count: number, durationMs: number, exchange: Exchange): Promise<Round> {
    const latenciesMs: number[] = [];
    const each = await Promise.all(
      this.#clients.slice(0, count).map((client) => runOne(client, durationMs, exchange, latenciesMs)),
    );
    const sum = (of: (one: (typeof each)[number]) => number): number =>
      each.reduce((total, one) => total + of(one), 0);
    return {
      latenciesMs,
      // Over each client's own time, which ends with an answer: nothing is cut off that would count for half.
      perS: sum(({ documents, tookMs }) => (documents / tookMs) * 1_000),
      documents: sum(({ documents }) => documents),
      refused: sum(({ refused }) => refused),
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
  }
}

async function runOne(client: Client, durationMs: number, exchange: Exchange, latenciesMs: number[]) {
  const startMs = systemClock.nowMs();
  let [documents, refused, nowMs] = [0, 0, startMs];
  while (nowMs - startMs < durationMs) {
    const sentMs = nowMs;
    const worth = await exchange(client);
    nowMs = systemClock.nowMs();
    if (worth.refused === 0) latenciesMs.push(nowMs - sentMs);
    documents += worth.documents;
    refused += worth.refused;
  }
  return { documents, refused, tookMs: nowMs - startMs };
}
