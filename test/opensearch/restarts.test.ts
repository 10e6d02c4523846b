import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { type FrontProcesses, startFrontProcesses } from '../support/front-processes.ts';
import {
  MOST_RESULTS,
  type NumberedWrites,
  numberedWrites,
  storedNumbers,
} from '../support/numbered-writes.ts';
import {
  ask,
  describeOnOpenSearch,
  type RealOpenSearch,
  START_LIMIT_MS,
  startRealOpenSearch,
  untilKnown,
} from '../support/real-opensearch.ts';

describeOnOpenSearch('writes through two coordinators and two agents', () => {
  let cluster: RealOpenSearch;
  let weir: FrontProcesses;
  const direct = (method: string, path: string, body?: object) => ask(cluster.origins[0], method, path, body);

  beforeAll(async () => {
    cluster = await startRealOpenSearch();
    weir = await startFrontProcesses(cluster.origins, 2);
    // However busy this machine is, nothing is refused.
    await weir.set({ 'weir.admission.mode': 'monitor_only' });
  }, START_LIMIT_MS);
  afterAll(async () => {
    await weir?.stop();
    await cluster?.stop();
  }, 30_000);

  const green = (index: string) =>
    direct('GET', `/_cluster/health/${index}?wait_for_status=green&timeout=50s`);

  /** Writes to a new index while `change` runs, and a little before and after it. */
  async function writeWhile(
    index: string,
    replicas: number,
    change: (writes: NumberedWrites) => Promise<void>,
  ): Promise<NumberedWrites> {
    const settings = {
      ...{ number_of_shards: 2, number_of_replicas: replicas, max_result_window: MOST_RESULTS },
      'unassigned.node_left.delayed_timeout': '0ms',
    };
    await direct('PUT', `/${index}`, { settings });
    await green(index);
    const writes = numberedWrites(
      weir.coordinators.map(({ origin }) => origin),
      index,
    );
    try {
      await writes.more(60);
      await change(writes);
      await writes.more(60);
    } finally {
      await writes.stop();
    }
    return writes;
  }

  async function expectKeptOnce(index: string, { acknowledged }: NumberedWrites): Promise<void> {
    const counts = await storedNumbers(cluster.origins[0], index);
    expect(acknowledged.filter((n) => !counts.has(n))).toEqual([]);
    expect([...counts].filter(([, count]) => count > 1)).toEqual([]);
  }

  // n1 stays: it is the only cluster manager, and OpenSearch without Weir loses acknowledged documents when that one restarts.
  it('are kept once if acknowledged while a coordinator, an agent and a node are killed or restarted in turn', async () => {
    const writes = await writeWhile('restarted', 1, async ({ more }) => {
      for (const service of [weir.coordinators[1], weir.agent('n1')]) {
        await service?.stop('SIGKILL');
        await more(60);
        await service?.start();
      }
      await weir.settled('n1', true);
      await cluster.stopNode(1);
      await weir.settled('n2', false);
      await more(60);
      await cluster.startNode(1);
      await weir.settled('n2', true);
      await green('restarted');
    });
    await expectKeptOnce('restarted', writes);
  }, 240_000);

  it('lose nothing and fail nowhere when a node is emptied, stopped, and another one comes in its place', async () => {
    const placed = async (node: string): Promise<number> => {
      const { json } = await direct('GET', '/_cat/shards/replaced?format=json&h=node,state');
      const shards = json as { node: string; state: string }[];
      return shards.filter((shard) => shard.node === node && shard.state === 'STARTED').length;
    };
    const exclude = (name: string | null) =>
      ask(weir.origin, 'PUT', '/_cluster/settings', {
        transient: { 'cluster.routing.allocation.exclude._name': name },
      });
    const idOf = async () =>
      ((await weir.ask('/_weir/view')).body as { nodes: { n2: { id: string } } }).nodes.n2.id;
    const before = await idOf();
    const writes = await writeWhile('replaced', 0, async ({ more }) => {
      await exclude('n2');
      await eventually(async () => (await placed('n1')) === 2, 60_000);
      // What is on its way to the node when that stops is lost: nothing is, once both coordinators know that it is empty.
      for (const { origin } of weir.coordinators) await untilKnown(origin, cluster.origins[0]);
      await more(60);
      await cluster.stopNode(1, 'emptied');
      await weir.settled('n2', false);
      await more(60);
      await cluster.startNode(1);
      await exclude(null);
      await eventually(async () => (await placed('n2')) > 0, 60_000);
      await weir.settled('n2', true);
    });
    expect(writes.failed).toEqual([]);
    expect(writes.unanswered).toEqual([]);
    await expectKeptOnce('replaced', writes);
    expect(await idOf()).not.toBe(before);
    const forwarded = await weir.forwardedBy('n2');
    expect(forwarded).toBeGreaterThan(0);
  }, 240_000);
});
