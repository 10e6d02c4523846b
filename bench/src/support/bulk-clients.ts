// Clients that index documents in bulks, each sending its next one when the last was answered.
import { delay, systemClock, systemTimers } from '@weir/shared';
import { Client } from 'undici';
import { logDocuments } from './log-documents.ts';

export type BulkLoad = {
  readonly origin: string;
  readonly index: string;
  readonly documentsPerBulk: number;
  readonly clients: number;
};

/** `refused` counts documents that were answered with 429. */
export type Indexed = { readonly documents: number; readonly refused: number; readonly docsPerS: number };

/** Bodies are made before anything is measured, and are all different. */
const BODIES = 20;
const ACTION = '{"index":{}}\n';
const NO_ERRORS = '"errors":false';
/** `errors` stands at the start of an answer. */
const HEAD_BYTES = 100;

export class BulkClients {
  readonly #load: BulkLoad;
  readonly #bodies: readonly Buffer[];
  readonly #clients: readonly Client[];
  #next = 0;
  #documents = 0;
  #refused = 0;

  constructor(load: BulkLoad) {
    this.#load = load;
    const documents = logDocuments(Math.max(BODIES * load.documentsPerBulk, 1_000));
    this.#bodies = Array.from({ length: BODIES }, (_, at) => bodyOf(documents, at, load.documentsPerBulk));
    this.#clients = Array.from({ length: load.clients }, () => new Client(load.origin));
  }

  /** All documents that were acknowledged so far. */
  get acknowledged(): number {
    return this.#documents;
  }

  /** Indexes for so long; what counts is what is acknowledged within this time. */
  async run(durationMs: number): Promise<Indexed> {
    const startMs = systemClock.nowMs();
    const before = { documents: this.#documents, refused: this.#refused };
    let running = true;
    const ended = Promise.all(
      this.#clients.map(async (client) => {
        while (running) await this.#sendOne(client);
      }),
    );
    await Promise.race([delay(systemTimers, durationMs), ended]);
    const elapsedMs = systemClock.nowMs() - startMs;
    const documents = this.#documents - before.documents;
    running = false;
    await ended;
    return {
      documents,
      refused: this.#refused - before.refused,
      docsPerS: (documents / elapsedMs) * 1_000,
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
  }

  async #sendOne(client: Client): Promise<void> {
    const { index, documentsPerBulk } = this.#load;
    const body = this.#bodies[this.#next++ % BODIES] ?? null;
    const headers = { 'content-type': 'application/x-ndjson' };
    const answer = await client.request({ path: `/${index}/_bulk`, method: 'POST', headers, body });
    const text = await answer.body.text();
    if (answer.statusCode === 200 && text.slice(0, HEAD_BYTES).includes(NO_ERRORS)) {
      this.#documents += documentsPerBulk;
      return;
    }
    if (answer.statusCode === 429) {
      this.#refused += documentsPerBulk;
      return;
    }
    if (answer.statusCode !== 200) throw new Error(`bulk: ${answer.statusCode} ${text.slice(0, 500)}`);
    this.#countItems(text);
  }

  #countItems(text: string): void {
    const { items } = JSON.parse(text) as { items: { index: { status: number; error?: unknown } }[] };
    for (const { index: item } of items) {
      if (item.status === 429) this.#refused += 1;
      else if (item.status < 300) this.#documents += 1;
      else throw new Error(`bulk item: ${JSON.stringify(item).slice(0, 500)}`);
    }
  }
}

function bodyOf(documents: readonly Buffer[], number: number, size: number): Buffer {
  const lines = Array.from({ length: size }, (_, at) => {
    const document = documents[(number * size + at) % documents.length] ?? '{}';
    return `${ACTION}${document}\n`;
  });
  return Buffer.from(lines.join(''));
}
