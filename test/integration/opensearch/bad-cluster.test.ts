import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { type Front, startFront } from '../../support/front-coordinator.ts';
import { ask } from '../../support/real-opensearch.ts';

type Respond = (response: ServerResponse, operations: number) => void;
type Item = {
  readonly index: {
    readonly status: number;
    readonly error?: { readonly type: string; readonly reason: string };
  };
};

const ROOT = {
  cluster_name: 'c',
  cluster_uuid: 'u',
  version: { number: '2.19.6', distribution: 'opensearch' },
};
const COPY = { state: 'STARTED', primary: true, node: 'a', allocation_id: { id: 'x' } };
const INDEX = {
  ...{ state: 'open', routing_num_shards: 1024, primary_terms: { '0': 1 } },
  settings: { index: { uuid: 'i', number_of_shards: '1', number_of_replicas: '0' } },
};
const NO_MANAGER = {
  error: { root_cause: [], type: 'cluster_manager_not_discovered_exception', reason: null },
  status: 503,
};

/** One node with one index; what it answers to a bulk, and to questions for its state, a test says. */
class BadCluster {
  /** Operations of each bulk that came. */
  readonly bulks: number[] = [];
  copies: readonly object[] = [COPY];
  onBulk: Respond = () => undefined;
  onState: Respond | undefined;
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://${this.#host()}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '' } = request;
    let body = '';
    for await (const chunk of request) body += chunk;
    if (url.startsWith('/_bulk')) {
      const operations = body.split('\n').filter((line) => line.startsWith('{"index"')).length;
      this.bulks.push(operations);
      this.onBulk(response, operations);
    } else if (url.startsWith('/_cluster/state') && this.onState !== undefined) this.onState(response, 0);
    else json(200, this.#known(url))(response, 0);
  }

  #known(url: string): object {
    if (url === '/') return ROOT;
    if (url.startsWith('/_nodes/http')) return { nodes: { a: { http: { publish_address: this.#host() } } } };
    if (!url.startsWith('/_cluster/state')) return {};
    return {
      ...{ ...ROOT, version: 1, state_uuid: 's', nodes: { a: { name: 'n1' } } },
      metadata: { indices: { logs: INDEX } },
      routing_table: { indices: { logs: { shards: { '0': this.copies } } } },
    };
  }

  #host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
}

function json(status: number, body: object | string): Respond {
  return (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
}

const created = (count: number) => ({
  items: Array.from({ length: count }, () => ({ index: { _index: 'logs', status: 201 } })),
});

let cluster: BadCluster;
let weir: Front;
afterEach(async () => {
  await weir.stop();
  await cluster.stop();
});

async function start(change: Partial<BadCluster> = {}): Promise<void> {
  cluster = Object.assign(new BadCluster(), change);
  weir = await startFront([await cluster.start()]);
}

/** Two operations that are split and go straight to their node, and two that only OpenSearch can place. */
const BULK = Buffer.from(
  ['logs', 'logs', 'new', 'new'].map((index) => `{"index":{"_index":"${index}"}}\n{}\n`).join(''),
);

async function itemsOf(query = '') {
  const { status, text } = await ask(weir.origin, 'POST', `/_bulk${query}`, BULK);
  expect(status).toBe(200);
  const { errors, items } = JSON.parse(text) as { errors: boolean; items: Item[] };
  return { errors, statuses: items.map(({ index }) => index.status), items: items.map(({ index }) => index) };
}

const readiness = async () => {
  const { status, json: body } = await ask(weir.origin, 'GET', '/readyz?verbose');
  return { status, check: (body as { checks: { cluster_state: object } }).checks.cluster_state };
};

describe('a cluster that answers a bulk', () => {
  it.each<[string, Respond, number, string]>([
    [
      'with fewer items than it was sent',
      (to, count) => json(200, created(count - 1))(to, 0),
      502,
      '1 items for 2',
    ],
    [
      'with more items than it was sent',
      (to, count) => json(200, created(count + 1))(to, 0),
      502,
      '3 items for 2',
    ],
    ['with something that is not JSON', json(200, '<html>it works</html>'), 502, 'no answer to a bulk'],
    ['with nothing', json(200, ''), 502, 'no answer to a bulk'],
    ['with JSON of another kind', json(200, { acknowledged: true }), 502, 'no answer to a bulk'],
    [
      'with half of its items',
      (to) => void to.write('{"items":[{"index":', () => to.destroy()),
      502,
      'may have been',
    ],
    ['by hanging up', (to) => void to.destroy(), 502, 'may have been applied'],
    ['by the page of a proxy', json(504, '<html>timeout</html>'), 504, 'status 504'],
    ['that it has no manager', json(503, NO_MANAGER), 503, 'null'],
  ])(
    '%s: each item is an error, nothing is acknowledged, and nothing is sent twice',
    async (_, respond, status, reason) => {
      await start({ onBulk: respond });
      const { errors, statuses, items } = await itemsOf();
      expect([errors, statuses]).toEqual([true, [status, status, status, status]]);
      for (const { error } of items)
        expect(error).toMatchObject({ type: expect.stringMatching(/^[a-z_]+$/) });
      for (const { error } of items) expect(String(error?.reason)).toContain(reason);
      expect(cluster.bulks).toEqual([2, 2]);
    },
  );

  it('never: each item is an error soon after its client would give up', async () => {
    await start();
    const startMs = performance.now();
    const { statuses, items } = await itemsOf('?timeout=300ms');
    expect(performance.now() - startMs).toBeLessThan(9_000);
    expect(statuses).toEqual([504, 504, 504, 504]);
    for (const { error } of items) expect(error?.reason).toContain('may have been applied');
  }, 15_000);

  it('of a client it does not know with 401: so is the whole answer', async () => {
    await start({ onBulk: json(401, 'Unauthorized') });
    const { status, headers, json: body } = await ask(weir.origin, 'POST', '/_bulk', BULK);
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Basic realm="OpenSearch"']);
    expect(body).toMatchObject({ status: 401, error: { reason: expect.stringContaining('Unauthorized') } });
  });
});

describe('a cluster that does not tell its state', () => {
  it.each<[string, Respond, string]>([
    ['for lack of a manager', json(503, NO_MANAGER), 'status 503'],
    ['to whom it does not know', json(401, 'Unauthorized'), 'credentials of weir.opensearch.username'],
    ['in JSON', json(200, '<html>'), 'an answer of an unknown form'],
  ])('%s: Weir is not ready and says why, and leaves bulks to it', async (_, respond, reason) => {
    await start({ onState: respond, onBulk: (to, count) => json(200, created(count))(to, 0) });
    expect(await readiness()).toEqual({
      status: 503,
      check: { status: 'failed', reason: expect.stringContaining(reason) },
    });
    expect((await itemsOf()).statuses).toEqual([201, 201, 201, 201]);
    expect(cluster.bulks).toEqual([4]);
  });

  it('any more: the last picture is used, and its age is told', async () => {
    await start({ onBulk: (to, count) => json(200, created(count))(to, 0) });
    cluster.onState = json(503, NO_MANAGER);
    await eventually(() => weir.warnings.length > 0);
    expect(await readiness()).toEqual({
      status: 200,
      check: { status: 'degraded', reason: expect.stringMatching(/ms old: .*status 503/) },
    });
    expect((await itemsOf()).statuses).toEqual([201, 201, 201, 201]);
    expect(cluster.bulks).toEqual([2, 2]);
  });
});

describe('a cluster that is red', () => {
  it('answers for the shard without a primary itself', async () => {
    const unavailable = { type: 'unavailable_shards_exception', reason: 'primary shard is not active' };
    const item = { index: { _index: 'logs', status: 503, error: unavailable } };
    await start({
      copies: [{ ...COPY, state: 'UNASSIGNED', node: null }],
      onBulk: json(200, { items: [item, item, item, item] }),
    });
    const { statuses, items } = await itemsOf();
    expect([statuses, items[0]?.error]).toEqual([[503, 503, 503, 503], unavailable]);
    expect(cluster.bulks).toEqual([4]);
  });
});
