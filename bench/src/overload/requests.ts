// What the load process sends and how it reads the answers: updates of large documents, or bulks of real ones.
import type { Rng } from '@weir/shared/clock';
import { cityBulks } from '../support/city-documents.ts';
import type { Bulks, Load, Updates } from './load-kinds.ts';
import type { Answer } from './outcomes.ts';

export type Requests = {
  /** Answered at once by what the load is sent to; opens a connection. */
  readonly harmlessPath: string;
  next(): { readonly path: string; readonly contentType: string; readonly body: string | Buffer };
  read(status: number, text: string): Answer;
};

const DONE: Answer = { kind: 'done', reason: '' };
const FAILED: Answer = { kind: 'failed', reason: '' };
const REFUSED = new Set([429, 503]);

export function requestsOf({ requests, seed }: Load, rng: Rng): Requests | Promise<Requests> {
  return requests.kind === 'updates' ? updates(requests, seed, rng) : bulks(requests);
}

function updates({ documents }: Updates, seed: number, rng: Rng): Requests {
  let sent = 0;
  return {
    harmlessPath: '/readyz',
    next: () => ({
      path: `/docs/_update/d${Math.floor(rng.next() * documents)}`,
      contentType: 'application/json',
      body: `{"doc":{"counter":${seed * 1e6 + sent++}}}`,
    }),
    read(status, text) {
      if (status === 200) return DONE;
      return REFUSED.has(status) ? { kind: 'refused', reason: reasonIn(text) } : FAILED;
    },
  };
}

/** Bodies are made before anything is sent, and are all different. */
const BODIES = 50;
/** `errors` stands at the start of an answer. */
const HEAD_BYTES = 100;
const ITEM_STATUS = /"status":(\d{3})/g;

/** The index has one shard: a bulk is stored or refused as a whole, or something went wrong. */
async function bulks({ index, documentsPerBulk }: Bulks): Promise<Requests> {
  const bodies = await cityBulks(BODIES, documentsPerBulk);
  let sent = 0;
  return {
    harmlessPath: '/',
    next: () => ({
      path: `/${index}/_bulk`,
      contentType: 'application/x-ndjson',
      body: bodies[sent++ % BODIES] ?? '',
    }),
    read(status, text) {
      if (status === 200 && text.slice(0, HEAD_BYTES).includes('"errors":false')) return DONE;
      const refused = status === 200 ? allItemsRefused(text) : REFUSED.has(status);
      return refused ? { kind: 'refused', reason: reasonIn(text) } : FAILED;
    },
  };
}

function allItemsRefused(text: string): boolean {
  return [...text.matchAll(ITEM_STATUS)].every(([, status]) => REFUSED.has(Number(status)));
}

/** How OpenSearch words its refusals, and what they are called here. */
const OPENSEARCH_REASONS: readonly (readonly [string, string])[] = [
  ['CPU usage admission controller', 'admission_control_cpu'],
  ['IO usage admission controller', 'admission_control_io'],
  ['rejected execution of coordinating operation', 'indexing_pressure_coordinating'],
  ['rejected execution of primary operation', 'indexing_pressure_primary'],
  ['OpenSearchThreadPoolExecutor', 'write_queue_full'],
];

/** Weir says in each refusal which of its reasons it was. */
function reasonIn(text: string): string {
  const byWeir = /"weir":\{"reason":"(\w+)"/.exec(text)?.[1];
  return byWeir ?? OPENSEARCH_REASONS.find(([words]) => text.includes(words))?.[1] ?? 'unnamed';
}
