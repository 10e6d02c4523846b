// The one OpenSearch node an agent stands beside: its stats with the agent's own rights, bulks with those of whoever sent them.
import {
  type HttpAnswer,
  type HttpClient,
  headerRecord,
  type RawHeaders,
  requesterHeaders,
  WeirError,
} from '@weir/shared';

export type LocalNodeParts = {
  readonly http: HttpClient;
  /** Base URL of the node's own HTTP interface. */
  readonly origin: string;
  /** The agent's own credentials as a header's value; secret. */
  readonly authorization: string | undefined;
};

export class LocalNode {
  readonly origin: string;
  readonly #http: HttpClient;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ http, origin, authorization }: LocalNodeParts) {
    this.#http = http;
    this.origin = origin;
    this.#headers = { accept: 'application/json', ...(authorization === undefined ? {} : { authorization }) };
  }

  /** JSON the agent reads for itself. Throws what is wrong with an answer that is none; as HttpClient does where none comes. */
  async read(path: string, timeoutMs: number): Promise<unknown> {
    const { origin } = this;
    const where = `GET ${origin}${path.split('?', 1)[0]}`;
    const { status, body } = await this.#http.call({
      ...{ origin, path, method: 'GET', headers: this.#headers, timeoutMs },
    });
    if (status === 401 || status === 403)
      throw new WeirError(
        status === 401 ? 'unauthorized' : 'forbidden',
        `${where}: status ${status}, the credentials of weir.opensearch.username or .api_key are ${status === 401 ? 'refused' : 'not allowed to'}`,
      );
    if (status !== 200) throw new WeirError('bad_gateway', `${where}: status ${status}`);
    try {
      return JSON.parse(body.toString());
    } catch (cause) {
      throw new WeirError('bad_gateway', `${where}: the answer is not JSON`, { cause });
    }
  }

  /** Sends a bulk in the name of its client. Throws as HttpClient does. */
  bulk(path: string, client: RawHeaders, body: Buffer, timeoutMs: number): Promise<HttpAnswer> {
    const headers = {
      ...headerRecord(requesterHeaders(client)),
      ...{ 'content-type': 'application/x-ndjson', accept: 'application/json' },
    };
    return this.#http.call({ origin: this.origin, path, method: 'POST', headers, body, timeoutMs });
  }
}
