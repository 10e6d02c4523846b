import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { seededRng } from '@weir/shared/testing';
import { eventually } from '../support/eventually.ts';
import { type FrontProcesses, startFrontProcesses } from '../support/front-processes.ts';
import { BULK_INDEX, generatedBulk } from '../support/generated-bulks.ts';
import {
  type Answer,
  ask,
  describeOnOpenSearch,
  type RealOpenSearch,
  START_LIMIT_MS,
  startRealOpenSearch,
  untilStarted,
} from '../support/real-opensearch.ts';

type Item = { readonly status: number; readonly error?: { readonly weir?: { readonly reason: string } } };

/** However busy this machine is, nothing is refused; and everything is judged, and goes through the agents. */
const NEVER_REFUSE = { 'weir.admission.mode': 'monitor_only' };
/** A heap is never empty: every shard request is over this limit, at the agent alone. */
const LIMIT_ZERO = {
  'weir.admission.coordinator.enabled': false,
  'weir.admission.max_shed_ratio': 1,
  'weir.admission.heap.primary.soft': 0,
  'weir.admission.heap.primary.hard': 0,
};

describeOnOpenSearch('agents beside the nodes of a real OpenSearch', () => {
  let cluster: RealOpenSearch;
  let weir: FrontProcesses;
  const direct = (method: string, path: string, body?: Buffer | object): Promise<Answer> =>
    ask(cluster.origins[0], method, path, body);
  const through = (body: Buffer, query = ''): Promise<Answer> =>
    ask(weir.origin, 'POST', `/_bulk${query}`, body);

  beforeAll(async () => {
    cluster = await startRealOpenSearch();
    weir = await startFrontProcesses(cluster.origins);
  }, START_LIMIT_MS);
  beforeEach(() => weir.set(NEVER_REFUSE), 60_000);
  afterAll(async () => {
    await weir?.stop();
    await cluster?.stop();
  }, 30_000);

  /** An index whose primary is on this node. The coordinator knows it when this resolves. */
  async function createIndex(
    name: string,
    node: string,
    body: { readonly settings?: object; readonly aliases?: object } = {},
  ): Promise<void> {
    await direct('PUT', `/${name}`, {
      ...body,
      settings: {
        ...{ number_of_shards: 1, number_of_replicas: 0, ...body.settings },
        'index.routing.allocation.require._name': node,
      },
    });
    await untilStarted(weir.origin, cluster.origins[0]);
  }

  const count = async (index: string): Promise<unknown> => {
    await direct('POST', `/${index}/_refresh`);
    return ((await direct('GET', `/${index}/_count`)).json as { count: number }).count;
  };
  const write = async (index: string, ids: readonly string[], query = ''): Promise<readonly Item[]> => {
    const lines = ids.map((id) => `{"index":{"_index":"${index}","_id":"${id}"}}\n{"id":"${id}"}\n`);
    const { json, text } = await through(Buffer.from(lines.join('')), query);
    const { items } = json as { items?: Record<string, Item>[] };
    if (items === undefined) throw new Error(text);
    return items.map(({ index: item = { status: 0 } }) => item);
  };
  const statuses = (items: readonly Item[]): readonly number[] => items.map(({ status }) => status);

  it('bring each bulk to the node of its primary, whose answer and documents are those of the direct way', async () => {
    const rng = seededRng(7);
    const namesOf = (way: string) => {
      const index = `${way}-1`;
      return { index, alias: `${way}-alias`, routed: `${way}-routed`, made: index, piped: index };
    };
    // Both where the direct way arrives: an error that crosses nodes of OpenSearch comes out in other words.
    for (const way of ['weir', 'plain']) {
      const { index, alias, routed } = namesOf(way);
      const aliases = { [alias]: { is_write_index: true }, [routed]: { routing: 'a' } };
      await createIndex(index, 'n1', {
        ...BULK_INDEX,
        settings: { number_of_shards: 3, number_of_replicas: 0 },
        aliases,
      });
    }
    const before = (await weir.forwardedBy('n1')) + (await weir.forwardedBy('n2'));
    for (let round = 0; round < 20; round += 1) {
      const seed = Math.floor(rng.next() * 2 ** 31);
      const query = ['', '?refresh=true', '?refresh=wait_for', '?wait_for_active_shards=1'][round % 4];
      const bulk = (way: string) => generatedBulk(seededRng(seed), 20, namesOf(way));
      const [viaWeir, plain] = await Promise.all([
        through(bulk('weir'), query),
        direct('POST', `/_bulk${query}`, bulk('plain')),
      ]);
      expect(comparable(viaWeir, 'weir')).toEqual(comparable(plain, 'plain'));
    }
    const after = (await weir.forwardedBy('n1')) + (await weir.forwardedBy('n2'));
    expect(after - before).toBeGreaterThan(20);
    expect(await documentsOf('weir-1')).toBe(await documentsOf('plain-1'));
    expect(await count('weir-1')).toBeGreaterThan(0);
  }, 120_000);

  it('refuse over their limit, and their node hears nothing of it', async () => {
    await createIndex('limited', 'n2');
    await weir.set(LIMIT_ZERO);
    const items = await write('limited', ['1', '2']);
    expect(items.map(({ status, error }) => [status, error?.weir?.reason])).toEqual([
      [429, 'primary_limit'],
      [429, 'primary_limit'],
    ]);
    expect(await count('limited')).toBe(0);
  }, 60_000);

  it('refuse nothing in monitor_only, and count what they would have refused', async () => {
    await weir.set({ ...LIMIT_ZERO, ...NEVER_REFUSE });
    expect(statuses(await write('limited', ['1', '2']))).toEqual([201, 201]);
    const { text } = await ask(weir.agent('n2').origin, 'GET', '/metrics');
    expect(text).toMatch(/weir_admission_decisions_total\{.*verdict="would_refuse".*signal="heap"\} \d/);
  }, 60_000);

  it('ask the agents beside replicas for permits first, which go back', async () => {
    await createIndex('replicated', 'n*', { settings: { number_of_replicas: 1 } });
    await weir.set({ ...NEVER_REFUSE, 'weir.replication.reserve': 'always' });
    expect(statuses(await write('replicated', ['1', '2']))).toEqual([201, 201]);
    const asked = async (node: 'n1' | 'n2'): Promise<string> =>
      (await ask(weir.agent(node).origin, 'GET', '/metrics')).text;
    const admitted = /weir_admission_decisions_total\{role="replica".*\} 1\n/;
    expect([await asked('n1'), await asked('n2')].filter((text) => admitted.test(text))).toHaveLength(1);
    const held = /weir_in_flight_bytes\{role="replica"\} 0\n/;
    for (const node of ['n1', 'n2'] as const)
      await eventually(async () => held.test(await asked(node)), 10_000);
  }, 60_000);

  it('are done without when killed, and used again when they are back', async () => {
    await createIndex('without', 'n1');
    await weir.agent('n1').stop('SIGKILL');
    expect(statuses(await write('without', ['1', '2']))).toEqual([201, 201]);
    await weir.agent('n1').start();
    await weir.settled('n1', true);
    expect(statuses(await write('without', ['3'], '?refresh=true'))).toEqual([201]);
    expect(await weir.forwardedBy('n1')).toBe(1);
    expect(await count('without')).toBe(3);
  }, 120_000);

  it('are not done without where the setting says so', async () => {
    await weir.set({ ...NEVER_REFUSE, 'weir.opensearch.on_agent_loss': 'refuse' });
    await weir.agent('n1').stop('SIGKILL');
    expect(statuses(await write('without', ['4']))).toEqual([503]);
    expect(await count('without')).toBe(3);
    await weir.agent('n1').start();
    await weir.settled('n1', true);
  }, 120_000);

  it('bring a bulk that is larger to the node than it came, since it names its index for each operation', async () => {
    const index = 'long'.repeat(50);
    await createIndex(index, 'n1');
    await weir.set({ ...NEVER_REFUSE, 'weir.bulk.max_body': '1kb' });
    const lines = Array.from({ length: 42 }, (_, n) => `{"delete":{"_id":"${10 + n}"}}\n`).join('');
    const { json } = await ask(weir.origin, 'POST', `/${index}/_bulk`, Buffer.from(lines));
    const { items } = json as { items: { delete: Item }[] };
    expect(new Set(items.map((item) => item.delete.status))).toEqual(new Set([404]));
    expect(items).toHaveLength(42);
  });

  it('lose nothing that was acknowledged when a node is killed, and every item is answered', async () => {
    await direct('PUT', '/durable', { settings: { number_of_shards: 4, number_of_replicas: 1 } });
    await direct('GET', '/_cluster/health/durable?wait_for_status=green&timeout=30s');
    const acknowledged: string[] = [];
    let answered = 0;
    let killed = false;
    const bulks = Array.from({ length: 60 }, (_, bulk) =>
      Array.from({ length: 20 }, (_, at) => `${bulk}-${at}`),
    );
    for (const [position, ids] of bulks.entries()) {
      if (position === 20) {
        process.kill(cluster.pids[1], 'SIGKILL');
        killed = true;
      }
      const items = await write('durable', ids);
      answered += items.length;
      acknowledged.push(...ids.filter((_, at) => (items[at]?.status ?? 0) < 300));
    }
    expect([killed, answered]).toEqual([true, 60 * 20]);
    await weir.settled('n2', false);
    expect(statuses(await write('durable', ['last']))).toEqual([201]);
    const { json } = await ask(cluster.origins[0], 'POST', '/durable/_mget?_source=false', {
      ids: acknowledged,
    });
    const found = (json as { docs: { found: boolean }[] }).docs.filter((document) => document.found);
    expect(found.length).toBe(acknowledged.length);
    expect(acknowledged.length).toBeGreaterThan(20 * 20);
  }, 180_000);

  async function documentsOf(index: string): Promise<string> {
    await direct('POST', `/${index}/_refresh`);
    const query = 'size=1000&sort=_id&version=true&seq_no_primary_term=true';
    const { text } = await direct('GET', `/${index}/_search?${query}`);
    return text.slice(text.indexOf('"hits":[')).replaceAll(index, 'index');
  }
});

/** All of an answer but what differs between any two indices and moments. */
function comparable({ status, text }: Answer, way: string): unknown {
  return [
    status,
    text
      .replace(/"took":\d+/, '')
      .replaceAll(/"index_uuid":"[^"]+"/g, '')
      // Elasticsearch 7.10 quotes the HTTP request in which a document came, headers and all.
      .replaceAll(/\\"POST .*?(?=; line: )/g, '')
      .replaceAll(`${way}-`, 'way-'),
  ];
}
