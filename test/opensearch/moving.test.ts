import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { type Front, startFront } from '../support/front-coordinator.ts';
import {
  ask,
  describeOnOpenSearch,
  type RealOpenSearch,
  START_LIMIT_MS,
  startRealOpenSearch,
  untilKnown,
  untilStarted,
} from '../support/real-opensearch.ts';

type Item = { readonly index: { readonly status: number } };

describeOnOpenSearch('a cluster that changes beneath bulks', () => {
  let cluster: RealOpenSearch;
  let weir: Front;
  const direct = (method: string, path: string, body?: Buffer | object) =>
    ask(cluster.origins[0], method, path, body);

  beforeAll(async () => {
    cluster = await startRealOpenSearch();
    weir = await startFront(cluster.origins);
    // However busy this machine is, nothing is refused.
    const settings = { transient: { 'weir.admission.mode': 'monitor_only' } };
    await ask(weir.origin, 'PUT', '/_cluster/settings', settings);
  }, START_LIMIT_MS);
  afterAll(async () => {
    await weir?.stop();
    await cluster?.stop();
  }, 30_000);

  const create = async (index: string, replicas: number, body: object = {}): Promise<void> => {
    await direct('PUT', `/${index}`, {
      settings: { number_of_shards: 2, number_of_replicas: replicas },
      ...body,
    });
    await untilStarted(weir.origin, cluster.origins[0]);
  };
  const known = () => untilKnown(weir.origin, cluster.origins[0]);

  let number = 0;
  const writesBegun = () => {
    const first = number;
    return eventually(() => number >= first + 40, 30_000);
  };
  /** Writes through Weir until `change` is over, and a little on; every document has a number, half of them an id. */
  async function writeWhile(index: string, change: () => Promise<unknown>): Promise<Writes> {
    const writes: Writes = { acknowledged: [], failed: [] };
    let over = false;
    const changed = change().finally(() => {
      over = true;
    });
    for (let left = 5; left > 0; left -= over ? 1 : 0) {
      const numbers = Array.from({ length: 20 }, () => (number += 1));
      const lines = numbers.map((n) => `{"index":{${n % 2 === 0 ? `"_id":"${n}"` : ''}}}\n{"n":${n}}\n`);
      const { json } = await ask(
        weir.origin,
        'POST',
        `/${index}/_bulk?timeout=20s`,
        Buffer.from(lines.join('')),
      );
      (json as { items: Item[] }).items.forEach((item, place) => {
        const list = item.index.status === 201 ? writes.acknowledged : writes.failed;
        list.push(numbers[place] ?? 0);
      });
    }
    await changed;
    return writes;
  }

  /** How often each number is stored. */
  async function stored(index: string): Promise<ReadonlyMap<number, number>> {
    await direct('POST', `/${index}/_refresh`);
    const { json } = await direct('GET', `/${index}/_search?size=10000&_source=n`);
    const { hits } = (json as { hits: { hits: { _source: { n: number } }[] } }).hits;
    const counts = new Map<number, number>();
    for (const { _source } of hits) counts.set(_source.n, (counts.get(_source.n) ?? 0) + 1);
    return counts;
  }

  async function expectKept(index: string, { acknowledged }: Writes): Promise<void> {
    const counts = await stored(index);
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(acknowledged.filter((n) => counts.get(n) !== 1)).toEqual([]);
    expect([...counts.values()].every((count) => count === 1)).toBe(true);
  }

  it('keeps every acknowledged document once when a shard moves to another node', async () => {
    await create('moved', 0);
    const { json } = await direct('GET', '/_cat/shards/moved?format=json&h=shard,node');
    const shards = json as { shard: string; node: string }[];
    const writes = await writeWhile('moved', async () => {
      const commands = shards.map(({ shard, node }) => ({
        move: { index: 'moved', shard: Number(shard), from_node: node, to_node: node === 'n1' ? 'n2' : 'n1' },
      }));
      // Each on the other node: one after the other, since both may not be on one.
      for (const command of commands) await direct('POST', '/_cluster/reroute', { commands: [command] });
      await direct('GET', '/_cluster/health/moved?wait_for_no_relocating_shards=true&timeout=30s');
      await known();
    });
    expect(writes.failed).toEqual([]);
    await expectKept('moved', writes);
  }, 120_000);

  it('keeps every acknowledged document once when replicas come and go', async () => {
    await create('copied', 1);
    const writes = await writeWhile('copied', async () => {
      for (const replicas of [0, 1, 0]) {
        await direct('PUT', '/copied/_settings', { 'index.number_of_replicas': replicas });
        await direct('GET', '/_cluster/health/copied?wait_for_status=green&timeout=30s');
      }
      await known();
    });
    expect(writes.failed).toEqual([]);
    await expectKept('copied', writes);
  }, 120_000);

  it('follows an alias from one index to the next', async () => {
    await create('old', 0, { aliases: { current: {} } });
    await create('new', 0);
    const actions = [
      { remove: { index: 'old', alias: 'current' } },
      { add: { index: 'new', alias: 'current' } },
    ];
    let before = 0;
    const writes = await writeWhile('current', async () => {
      await writesBegun();
      await direct('POST', '/_aliases', { actions });
      before = number;
      await known();
    });
    expect(writes.failed).toEqual([]);
    const [old, current] = [await stored('old'), await stored('new')];
    expect(writes.acknowledged.filter((n) => !old.has(n) && !current.has(n))).toEqual([]);
    // Whoever moved the alias may delete the old index now: what was sent after that is in the new one.
    expect([...old.keys()].filter((n) => n > before)).toEqual([]);
    expect([old.size > 0, current.size > 0]).toEqual([true, true]);
  }, 60_000);

  it('writes to an index that is deleted and made anew beneath it, whatever it was told before', async () => {
    await create('again', 0);
    let before = 0;
    const { acknowledged } = await writeWhile('again', async () => {
      await writesBegun();
      await direct('DELETE', '/again');
      before = number;
      // Made by a bulk that came first it has other shards, and this is refused.
      await direct('PUT', '/again', { settings: { number_of_shards: 1, number_of_replicas: 0 } });
      await writesBegun();
      await known();
    });
    const after = acknowledged.filter((n) => n > before);
    expect(after.length).toBeGreaterThan(0);
    await expectKept('again', { acknowledged: after, failed: [] });
    expect((await writeWhile('again', known)).failed).toEqual([]);
  }, 60_000);

  it('loses no acknowledged document when a node dies, and goes on without it', async () => {
    await create('lost', 1);
    const writes = await writeWhile('lost', async () => {
      process.kill(cluster.pids[1], 'SIGKILL');
      await eventually(async () => {
        const { json } = await direct('GET', '/_cat/shards/lost?format=json&h=prirep,state,node');
        const shards = json as { prirep: string; state: string; node: string }[];
        return (
          shards.filter(({ prirep, state, node }) => prirep === 'p' && state === 'STARTED' && node === 'n1')
            .length === 2
        );
      }, 60_000);
      await known();
    });
    await expectKept('lost', writes);
    const after = await writeWhile('lost', async () => undefined);
    expect(after.failed).toEqual([]);
    const { status, json } = await ask(weir.origin, 'GET', '/readyz?verbose');
    expect([status, (json as { checks: { cluster_state: object } }).checks.cluster_state]).toEqual([
      200,
      { status: 'ok' },
    ]);
  }, 180_000);
});

type Writes = { readonly acknowledged: number[]; readonly failed: number[] };
