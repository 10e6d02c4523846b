// A coordinator that is asked to end while it is busy: every bulk in flight gets its real result.
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type RunningCluster, startRunningCluster } from '../support/running-cluster.ts';

jest.setTimeout(120_000);

let cluster: RunningCluster;
beforeAll(async () => {
  cluster = await startRunningCluster({ coordinators: 2, dataNodes: 2 });
  // What admission makes of a busy machine is tested elsewhere.
  await cluster.send('PUT', '/_cluster/settings', { transient: { 'weir.admission.mode': 'monitor_only' } });
});
afterAll(() => cluster.stop());

describe('C152: a coordinator asked to end with 50 bulks in flight on kept connections', () => {
  const BULKS = 50;
  const DOCUMENTS = 400;

  it('answers each with its real result, closes the connections, and ends with exit code 0', async () => {
    await cluster.send('PUT', '/drained', { settings: { number_of_shards: 3, number_of_replicas: 1 } });
    const agent = new Agent({ keepAlive: true, maxSockets: BULKS });
    const { port } = cluster.service('c1');
    // Opens all connections and leaves them to be used again.
    await Promise.all(
      Array.from({ length: BULKS }, async () => {
        const warm = request({ agent, port, host: '127.0.0.1', path: '/livez' }).end();
        const [response] = (await new Promise((done) => warm.once('response', (one) => done([one])))) as [
          IncomingMessage,
        ];
        await text(response);
      }),
    );
    const started = Array.from({ length: BULKS }, (_, number) => startBulk(agent, port, number));
    // From the server's own word that it has begun with each: none is merely on its way.
    await Promise.all(started.map(({ begun }) => begun));
    const answers = started.map(({ send }) => send());
    cluster.service('c1').signal('SIGTERM');
    const results = await Promise.all(answers);
    expect(await cluster.service('c1').ended).toBe(0);
    for (const { status, connection, body } of results) {
      const { errors, items } = JSON.parse(body);
      expect([status, connection, errors, items.length]).toEqual([200, 'close', false, DOCUMENTS]);
    }
    agent.destroy();
    await cluster.at('c2').send('POST', '/drained/_refresh');
    expect((await cluster.at('c2').ask('/drained/_count')).body['count']).toBe(BULKS * DOCUMENTS);
    await expect(cluster.ask('/livez')).rejects.toThrow();
  });

  function startBulk(agent: Agent, port: number, number: number) {
    const body = Array.from(
      { length: DOCUMENTS },
      (_, n) => `{"index":{"_id":"${number}-${n}"}}\n{"n":${n},"text":"${'x'.repeat(500)}"}\n`,
    ).join('');
    const bulk = request({
      ...{ agent, port, host: '127.0.0.1', method: 'POST', path: '/drained/_bulk' },
      headers: {
        'content-type': 'application/x-ndjson',
        'content-length': Buffer.byteLength(body),
        expect: '100-continue',
      },
    });
    bulk.flushHeaders();
    const response = new Promise<IncomingMessage>((resolve, reject) => {
      bulk.once('response', resolve);
      bulk.once('error', reject);
    });
    return {
      begun: new Promise<void>((resolve) => bulk.once('continue', resolve)),
      async send() {
        bulk.end(body);
        const answer = await response;
        return {
          status: answer.statusCode,
          connection: answer.headers.connection,
          body: await text(answer),
        };
      },
    };
  }
});
