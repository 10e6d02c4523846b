// C028 on real processes: a bulk of 100,000 items while health is asked ten times a second.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { type NodeProcesses, startNodeProcesses } from '../../support/node-processes.ts';

jest.setTimeout(180_000);

const ITEMS = 100_000;
const HEALTH_LIMIT_MS = 500;
/** The machine may be busy with other tests; a server that stalls does so every time. */
const TRIES = 3;

let nodes: NodeProcesses;
let coordinator: ChildProcess;
let origin: string;

beforeAll(async () => {
  nodes = await startNodeProcesses({});
  await Promise.all([nodes.start('dn1'), nodes.start('dn2')]);
  const port = await freePort();
  const argv = ['--http-port', String(port), '--redis-url', nodes.redis.url, '--log-level', 'warn'];
  coordinator = spawn(process.execPath, [join(process.cwd(), 'packages/coordinator/dist/main.js'), ...argv], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  origin = `http://127.0.0.1:${port}`;
  await eventually(async () => {
    const answer = await fetch(`${origin}/_cluster/health`).catch(() => undefined);
    return (
      ((await answer?.json()) as { number_of_data_nodes: number } | undefined)?.number_of_data_nodes === 2
    );
  }, 60_000);
  // This is about the event loops; what admission makes of so much at once is tested elsewhere.
  await send('PUT', '/_cluster/settings', { transient: { 'weir.admission.mode': 'disabled' } });
});

afterAll(async () => {
  coordinator.kill('SIGTERM');
  await once(coordinator, 'exit');
  await nodes.stop();
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function send(method: string, path: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(origin + path, { method, headers, body: JSON.stringify(body) });
}

/** About 20 MB. */
const body = Array.from(
  { length: ITEMS },
  (_, number) => `{"index":{"_id":"${number}"}}\n{"n":${number},"m":"${'x'.repeat(160)}"}\n`,
).join('');

/** Slowest health answer while the bulk runs, and how the bulk ended. */
async function runOnce(index: string) {
  let done = false;
  const bulk = fetch(`${origin}/${index}/_bulk`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body,
  })
    .then(async (response) => Buffer.from(await response.arrayBuffer()))
    .finally(() => {
      done = true;
    });
  let slowestMs = 0;
  while (!done) {
    const startMs = performance.now();
    const health = await fetch(`${origin}/_cluster/health`);
    await health.arrayBuffer();
    expect(health.status).toBe(200);
    slowestMs = Math.max(slowestMs, performance.now() - startMs);
    await sleep(100);
  }
  return { slowestMs, answer: await bulk };
}

describe('a bulk of 100,000 items', () => {
  it('C028: completes while health is answered within 500 ms and data nodes keep publishing', async () => {
    let published = 0;
    const unsubscribe = await nodes.bus.subscribe('stats', () => {
      published += 1;
    });
    const slowest: number[] = [];
    for (let tries = 1; tries <= TRIES && !slowest.some((ms) => ms < HEALTH_LIMIT_MS); tries += 1) {
      const startMs = performance.now();
      published = 0;
      const { slowestMs, answer } = await runOnce(`large-${tries}`);
      slowest.push(slowestMs);
      const text = answer.toString();
      expect(text.slice(0, 60)).toContain('"errors":false');
      expect(text.split('"status":201').length - 1).toBe(ITEMS);
      // Two nodes, once a second each.
      expect(published).toBeGreaterThanOrEqual(Math.floor((performance.now() - startMs) / 1_000));
    }
    await unsubscribe();
    expect(Math.min(...slowest)).toBeLessThan(HEALTH_LIMIT_MS);
  });
});
