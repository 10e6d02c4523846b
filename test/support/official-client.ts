// The official JavaScript clients as their users load them, behind the few calls that differ between their versions.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from './repository.ts';

/** What the bulk helpers of all versions count. */
type BulkStats = {
  readonly total: number;
  readonly successful: number;
  readonly failed: number;
  readonly retry: number;
};

export type OfficialClient = {
  index(index: string, id: string, document: object): Promise<Record<string, unknown>>;
  get(index: string, id: string): Promise<Record<string, unknown>>;
  search(index: string, query: object): Promise<Record<string, unknown>>;
  /** Runs the bulk helper; the documents' `id` becomes their `_id`. */
  bulk(index: string, documents: readonly { readonly id: string }[], options?: object): Promise<BulkStats>;
  close(): Promise<void>;
};

type Call = (parameters: object) => Promise<object>;
type RawClient = {
  readonly index: Call;
  readonly get: Call;
  readonly search: Call;
  readonly helpers: { bulk(options: object): Promise<BulkStats> };
  close(): Promise<void>;
};

const load = createRequire(join(ROOT, 'package.json'));

/** `body` up to 7 and in OpenSearch's own client, `document` and plain answers since 8. */
export type Style = 'body' | 'document';

/** A client of the package of this name. */
export function officialClient(packageName: string, style: Style, node: string): OfficialClient {
  const { Client } = load(packageName) as { Client: new (options: object) => RawClient };
  const client = new Client({ node });
  const read = (answer: object): Record<string, unknown> =>
    (style === 'body' ? (answer as { body: object }).body : answer) as Record<string, unknown>;
  return {
    index: async (index, id, document) => read(await client.index({ index, id, [style]: document })),
    get: async (index, id) => read(await client.get({ index, id })),
    search: async (index, query) =>
      read(await client.search({ index, ...(style === 'body' ? { body: { query } } : { query }) })),
    bulk: (index, documents, options = {}) =>
      client.helpers.bulk({
        datasource: documents,
        onDocument: ({ id }: { readonly id: string }) => ({ index: { _index: index, _id: id } }),
        ...options,
      }),
    close: () => client.close(),
  };
}
