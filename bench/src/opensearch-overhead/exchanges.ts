// The requests whose overhead is measured: bulks of real documents without ids, and reads of single documents by id.
import { cityBulks, cityDocuments } from '../support/city-documents.ts';
import type { Exchange } from '../support/kept-clients.ts';
import { mustBulk } from '../support/rest.ts';

/** Bodies are made before anything is measured, and are all different. */
const BODIES = 50;
/** `errors` stands at the start of an answer. */
const HEAD_BYTES = 100;

export async function bulkExchange(index: string, documentsPerBulk: number): Promise<Exchange> {
  const bodies = await cityBulks(BODIES, documentsPerBulk);
  const headers = { 'content-type': 'application/x-ndjson' };
  let sent = 0;
  return async (client) => {
    const body = bodies[sent++ % BODIES] ?? null;
    const answer = await client.request({ path: `/${index}/_bulk`, method: 'POST', headers, body });
    const text = await answer.body.text();
    if (answer.statusCode === 200 && text.slice(0, HEAD_BYTES).includes('"errors":false'))
      return { documents: documentsPerBulk, refused: 0 };
    // The index has one shard: a bulk is refused as a whole.
    if (answer.statusCode === 429 || text.includes('"status":429'))
      return { documents: 0, refused: documentsPerBulk };
    throw new Error(`bulk: ${answer.statusCode} ${text.slice(0, 500)}`);
  };
}

const READABLE = 10_000;

export async function storeReadable(origin: string, index: string): Promise<void> {
  const documents = await cityDocuments(READABLE);
  const lines = documents.flatMap((source, at) => [`{"index":{"_id":"${at}"}}`, source.toString()]);
  await mustBulk(`${origin}/${index}/_bulk?refresh=true`, lines);
}

export function readExchange(index: string): Exchange {
  let sent = 0;
  return async (client) => {
    const path = `/${index}/_doc/${sent++ % READABLE}`;
    const answer = await client.request({ path, method: 'GET' });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`GET ${path}: ${answer.statusCode} ${text.slice(0, 500)}`);
    return { documents: 1, refused: 0 };
  };
}
