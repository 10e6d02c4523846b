import { expect, it, jest } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { type Answer, startWholeCluster } from '../../support/whole-cluster.ts';

jest.setTimeout(60_000);

const DOCUMENTS = 500;

it('C152: bulks in flight get their real results while the coordinator stops, and new connections are refused', async () => {
  const cluster = await startWholeCluster(1, '--node-name', 'c-stop');
  try {
    await cluster.send('PUT', '/logs', { settings: { number_of_shards: 1, number_of_replicas: 0 } });
    await cluster.send('PUT', '/_cluster/settings', { transient: { 'weir.admission.mode': 'disabled' } });
    const lines = Array.from({ length: DOCUMENTS }, () => [
      { index: {} },
      { text: 'x'.repeat(1_000) },
    ]).flat();
    let arrived = 0;
    const sent = Array.from({ length: 20 }, () =>
      cluster.bulk('/logs/_bulk', ...lines).catch((): Answer | undefined => undefined),
    );
    for (const one of sent) void one.then(() => (arrived += 1));
    await eventually(async () =>
      /in_flight_bytes\{role="coordinator"\} [1-9]/.test((await cluster.ask('/metrics')).text),
    );
    const inFlight = sent.length - arrived;
    const startMs = performance.now();
    await cluster.coordinator.stop(20_000);
    const stoppedAfterMs = performance.now() - startMs;
    const answers = (await Promise.all(sent)).filter((answer) => answer !== undefined);
    expect(inFlight).toBeGreaterThan(0);
    // A request whose connection was not made yet when the port closed has no answer; every other has its whole one.
    expect(answers.length).toBeGreaterThan(0);
    for (const { status, body } of answers) {
      expect([status, body['errors']]).toEqual([200, false]);
      expect(body['items']).toHaveLength(DOCUMENTS);
    }
    expect(answers.some(({ headers }) => headers.get('connection') === 'close')).toBe(true);
    // Kept connections do not hold it up until the grace is over.
    expect(stoppedAfterMs).toBeLessThan(15_000);
    await expect(cluster.ask('/livez')).rejects.toThrow();
  } finally {
    await cluster.stop();
  }
});

it('C106: a coordinator without data nodes is alive, ready in degraded state, and says what is missing', async () => {
  const cluster = await startWholeCluster(0);
  try {
    expect((await cluster.ask('/livez')).status).toBe(200);
    expect((await cluster.ask('/readyz?verbose')).body).toMatchObject({
      status: 'degraded',
      checks: { data_nodes: { status: 'degraded', reason: 'no data node was heard of' } },
    });
    const { status, body } = await cluster.bulk('/logs/_bulk', { index: { _id: '1' } }, '{}');
    expect([status, body]).toMatchObject([
      200,
      { errors: true, items: [{ index: { status: 503, error: { type: 'unavailable_shards_exception' } } }] },
    ]);
  } finally {
    await cluster.stop();
  }
});

it('reads go on from the copies that remain when a data node is gone', async () => {
  const cluster = await startWholeCluster(2);
  try {
    await cluster.send('PUT', '/logs', { settings: { number_of_shards: 2, number_of_replicas: 1 } });
    const lines = Array.from({ length: 20 }, (_, at) => [{ index: { _id: String(at) } }, { n: at }]).flat();
    await cluster.bulk('/logs/_bulk?refresh=true', ...lines);
    await cluster.data.node('dn1').stop(1_000);
    for (let at = 0; at < 20; at += 1)
      expect((await cluster.ask(`/logs/_doc/${at}`)).body['found']).toBe(true);
    for (const path of ['/logs/_count', '/logs/_count'])
      expect((await cluster.ask(path)).body).toEqual({
        count: 20,
        _shards: { total: 2, successful: 2, skipped: 0, failed: 0 },
      });
    expect((await cluster.ask('/_nodes/stats')).body).toMatchObject({ _nodes: { total: 3, failed: 1 } });
  } finally {
    await cluster.stop();
  }
});
