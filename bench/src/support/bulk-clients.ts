// Clients that index documents in bulks, each sending its next one when the last was answered.
import type { Client } from 'undici';
import { KeptClients, type Worth } from './kept-clients.ts';
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
  readonly #clients: KeptClients;
  #next = 0;
  #documents = 0;

  constructor(load: BulkLoad) {
    this.#load = load;
    const documents = logDocuments(Math.max(BODIES * load.documentsPerBulk, 1_000));
    this.#bodies = Array.from({ length: BODIES }, (_, at) => bodyOf(documents, at, load.documentsPerBulk));
    this.#clients = new KeptClients(load.origin, load.clients);
  }

  /** All documents that were acknowledged so far. */
  get acknowledged(): number {
    return this.#documents;
  }

  /** Indexes for so long; each client ends with the answer that comes after the time is up. */
  async run(durationMs: number): Promise<Indexed> {
    const { documents, refused, perS } = await this.#clients.run(this.#load.clients, durationMs, (client) =>
      this.#sendOne(client),
    );
    this.#documents += documents;
    return { documents, refused, docsPerS: perS };
  }

  async close(): Promise<void> {
    await this.#clients.close();
  }

  async #sendOne(client: Client): Promise<Worth> {
    const { index, documentsPerBulk } = this.#load;
    const body = this.#bodies[this.#next++ % BODIES] ?? null;
    const headers = { 'content-type': 'application/x-ndjson' };
    const answer = await client.request({ path: `/${index}/_bulk`, method: 'POST', headers, body });
    const text = await answer.body.text();
    if (answer.statusCode === 200 && text.slice(0, HEAD_BYTES).includes(NO_ERRORS))
      return { documents: documentsPerBulk, refused: 0 };
    if (answer.statusCode === 429) return { documents: 0, refused: documentsPerBulk };
    if (answer.statusCode !== 200) throw new Error(`bulk: ${answer.statusCode} ${text.slice(0, 500)}`);
    return countItems(text);
  }
}

function countItems(text: string): Worth {
  const { items } = JSON.parse(text) as { items: { index: { status: number; error?: unknown } }[] };
  const failed = items.find(({ index: { status } }) => status >= 300 && status !== 429);
  if (failed !== undefined) throw new Error(`bulk item: ${JSON.stringify(failed.index).slice(0, 500)}`);
  const refused = items.filter(({ index: { status } }) => status === 429).length;
  return { documents: items.length - refused, refused };
}

function bodyOf(documents: readonly Buffer[], number: number, size: number): Buffer {
  const lines = Array.from({ length: size }, (_, at) => {
    const document = documents[(number * size + at) % documents.length] ?? '{}';
    return `${ACTION}${document}\n`;
  });
  return Buffer.from(lines.join(''));
}
