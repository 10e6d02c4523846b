import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toWeirError } from '../ops/errors.ts';
import { type HttpClient, undiciClient } from './http-client.ts';

let server: Server;
let client: HttpClient;
let connections: number;
let held: ServerResponse[];

beforeEach(async () => {
  connections = 0;
  held = [];
  server = createServer((request, response) => {
    if (request.url === '/held') held.push(response);
    else response.end(request.url);
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = undiciClient({ connectionsPerNode: 1 });
});
afterEach(async () => {
  await client.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const call = (path: string, timeoutMs = 5_000, origin?: string) =>
  client.call({
    ...{ path, method: 'GET', timeoutMs },
    origin: origin ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
const failureOf = (calling: Promise<unknown>) => calling.then(() => undefined, toWeirError);

describe('a call to another node', () => {
  it('gives status and whole body', async () => {
    const { status, body } = await call('/a');
    expect([status, body.toString()]).toEqual([200, '/a']);
  });

  it('that is still waiting for a connection when its time is over is given up alone', async () => {
    const before = call('/held');
    expect(await failureOf(call('/late', 30))).toMatchObject({ code: 'gateway_timeout' });
    for (const response of held) response.end('answer');
    expect((await before).body.toString()).toBe('answer');
    expect((await call('/next')).body.toString()).toBe('/next');
    expect(connections).toBe(1);
  });

  it('that is not answered in time ends then, and may have arrived', async () => {
    const failure = await failureOf(call('/held', 30));
    expect(failure).toMatchObject({ code: 'gateway_timeout', fields: { sent: true } });
    expect(failure?.message).toMatch(/^GET http:.*\/held: no answer within 30 ms$/);
  });

  it.each(['', 'dn1:9300', 'http://127.0.0.1:1'])('to [%s] fails with nothing sent', async (origin) => {
    const failure = await failureOf(call('/a', 5_000, origin));
    expect(failure).toMatchObject({ code: 'bad_gateway', fields: { sent: false } });
  });
});
