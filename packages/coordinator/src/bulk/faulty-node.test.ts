import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { decodeShardRequest, type HttpClient, undiciClient } from '@weir/shared';
import { type DataPath, indexOn, startDataPath } from '../testing/data-path.ts';
import { applied } from '../testing/fake-data-nodes.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, frame: Buffer) => void;

let path: DataPath;
let http: HttpClient;
let server: Server | undefined;
afterEach(async () => {
  await path.stop(100);
  await http.close();
  await close(server);
  server = undefined;
});

function listen(answer: Answer, port = 0): Promise<number> {
  const listening = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    answer(request, response, Buffer.concat(chunks));
  });
  server = listening;
  return new Promise((resolve) => {
    listening.listen(port, '127.0.0.1', () => resolve((listening.address() as AddressInfo).port));
  });
}

function close(listening: Server | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (listening === undefined) return resolve();
    listening.close(() => resolve());
    listening.closeAllConnections();
  });
}

const good: Answer = (_request, response, frame) => {
  response.end(JSON.stringify(applied(decodeShardRequest(frame), 'dn1')));
};

async function start(port: number): Promise<void> {
  http = undiciClient();
  path = await startDataPath({ indices: [indexOn('logs', ['dn1'])], http });
  path.topology.addresses.set('dn1', `http://127.0.0.1:${port}`);
}

async function bulk(query = '') {
  const { status, items } = await path.bulk(`/logs/_bulk${query}`, '{"index":{"_id":"1"}}\n{"m":1}\n');
  expect(status).toBe(200);
  expect(path.pressure.report().currentBytes.coordinating).toBe(0);
  expect(path.reported).toEqual([]);
  return { status: items[0]?.status, reason: items[0]?.error?.reason };
}

describe('a data node over real connections', () => {
  it('answers a frame it was sent', async () => {
    await start(await listen(good));
    expect(await bulk()).toEqual({ status: 201, reason: undefined });
  });

  it('C117, C157: that never answers makes an item 503 when the time is over, and says that the write may have been applied', async () => {
    let closed = 0;
    await start(await listen((request) => request.socket.once('close', () => (closed += 1))));
    const startMs = path.deps.clock.nowMs();
    const { status, reason } = await bulk('?timeout=300ms');
    expect(path.deps.clock.nowMs() - startMs).toBeLessThan(1_500);
    expect(status).toBe(503);
    expect(reason).toMatch(/may have been applied: POST .* no answer within \d+ ms$/);
    while (closed === 0) await path.deps.yieldToLoop();
  });

  it.each([
    ['breaks off before its answer', (request) => void request.socket.destroy(), 'may have been applied'],
    [
      'breaks off within its answer',
      (request, response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"outcome":');
        void path.deps.yieldToLoop().then(() => request.socket.destroy());
      },
      'may have been applied',
    ],
    [
      'answers with a page',
      (_request, response) => void response.writeHead(502).end('<html>'),
      'answered 502',
    ],
    [
      'is overloaded itself',
      (_request, response) => void response.writeHead(503).end('{"error":"busy"}'),
      'answered 503',
    ],
  ] as readonly [string, Answer, string][])(
    'C044: that %s makes an item 503',
    async (_name, answer, text) => {
      await start(await listen(answer));
      const { status, reason } = await bulk();
      expect(status).toBe(503);
      expect(reason).toContain(text);
    },
  );

  it('C157: that is not there makes an item 503, and its items pass again when it is back on the same port', async () => {
    const port = await listen(good);
    await close(server);
    await start(port);
    expect((await bulk('?timeout=200ms')).status).toBe(503);
    const pending = bulk();
    await path.deps.yieldToLoop();
    await listen(good, port);
    expect((await pending).status).toBe(201);
  });
});
