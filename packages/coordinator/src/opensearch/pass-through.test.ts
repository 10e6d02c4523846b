import { once } from 'node:events';
import { type IncomingMessage, type RequestListener, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { delay, systemTimers } from '@weir/shared';
import { ask, bodyOf, deadOrigin, startProxy, startServer } from '../testing/proxied.ts';

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** A server that behaves so, and Weir in front of it. */
async function start(listener: RequestListener, baseTimeoutMs?: number) {
  const { origin, server } = await startServer(listener);
  stops.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return startFor([origin], baseTimeoutMs);
}

async function startFor(origins: readonly string[], baseTimeoutMs?: number) {
  const proxy = await startProxy(origins, baseTimeoutMs);
  stops.push(proxy.stop);
  return proxy;
}

const json = (body: Buffer) => JSON.parse(body.toString());

describe('a request that is passed through', () => {
  it('arrives with its method, path, query, headers and body, exactly as they came', async () => {
    const seen: { method: unknown; url: unknown; body: string; raw: readonly string[] }[] = [];
    const proxy = await start(async (incoming, response) => {
      const { method, url, rawHeaders } = incoming;
      seen.push({ method, url, body: (await bodyOf(incoming)).toString(), raw: rawHeaders });
      response.end('{}');
    });
    const path = '/a%2Fb/%3Clogs-%7Bnow%2Fd%7D%3E/_x?q=a%20b&&=c&pretty';
    const headers = {
      Authorization: 'Basic eA==',
      'X-UPPER': 'kept',
      'X-Two': ['1', '2'],
      Connection: 'x-drop',
      'x-drop': '1',
    };
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'])
      await ask(proxy.origin, { method, path, headers, ...(method === 'HEAD' ? {} : { body: 'ä' }) });
    expect(seen.map(({ method }) => method)).toEqual([
      'GET',
      'POST',
      'PUT',
      'DELETE',
      'PATCH',
      'OPTIONS',
      'HEAD',
    ]);
    expect(new Set(seen.map(({ url }) => url))).toEqual(new Set([path]));
    expect(seen.map(({ body }) => body)).toEqual(['ä', 'ä', 'ä', 'ä', 'ä', 'ä', '']);
    const raw = seen[1]?.raw.join('\n') ?? '';
    expect(raw).toContain('Authorization\nBasic eA==\nX-UPPER\nkept\nX-Two\n1\nX-Two\n2');
    expect(raw.toLowerCase()).not.toContain('x-drop');
  });

  it.each([false, true])(
    'gets the answer with its status, its words, its headers and its body (others set before: %s)',
    async (presetHeaders) => {
      const { origin, server } = await startServer((_incoming, response) => {
        response.writeHead(418, 'Short and stout', ['X-One', 'a', 'X-One', 'b', 'Keep-Alive', 'timeout=1']);
        response.end('tea');
      });
      stops.push(() => new Promise((resolve) => server.close(resolve)));
      const proxy = await startProxy([origin], 5_000, presetHeaders);
      stops.push(proxy.stop);
      const { status, message, rawHeaders, body } = await ask(proxy.origin);
      expect([status, message, body.toString()]).toEqual([418, 'Short and stout', 'tea']);
      expect(rawHeaders.join('\n')).toContain('X-One\na\nX-One\nb');
      expect(rawHeaders.includes('X-Preset')).toBe(presetHeaders);
      expect(rawHeaders).not.toContain('timeout=1');
    },
  );

  it('C150: is told 401 with its challenge', async () => {
    const proxy = await start((_incoming, response) => {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="OpenSearch Security"' });
      response.end('Unauthorized');
    });
    const { status, headers, body } = await ask(proxy.origin);
    expect([status, headers['www-authenticate'], body.toString()]).toEqual([
      401,
      'Basic realm="OpenSearch Security"',
      'Unauthorized',
    ]);
  });

  it('is compressed or not as both ends have it, in both directions', async () => {
    const packed = gzipSync('{"hello":"world"}');
    const proxy = await start(async (incoming, response) => {
      const body = await bodyOf(incoming);
      response.writeHead(200, { 'Content-Encoding': 'gzip', 'X-Same': String(body.equals(packed)) });
      response.end(packed);
    });
    const headers = { 'Content-Encoding': 'gzip', 'Accept-Encoding': 'gzip' };
    const answer = await ask(proxy.origin, { method: 'POST', headers, body: packed });
    expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', 'x-same': 'true' });
    expect(answer.body.equals(packed)).toBe(true);
  });

  it('may be HEAD, and its answer 204 or 304, which have no body', async () => {
    const proxy = await start((incoming, response) => {
      const status = Number(incoming.url?.slice(1));
      const headers = status === 204 ? {} : { 'Content-Length': '1234', ETag: '"v1"' };
      response.writeHead(status, headers);
      response.end();
    });
    const head = await ask(proxy.origin, { method: 'HEAD', path: '/200' });
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '1234', 0]);
    expect((await ask(proxy.origin, { method: 'HEAD', path: '/404' })).status).toBe(404);
    const none = await ask(proxy.origin, { path: '/204' });
    expect([none.status, none.body.length, none.headers['transfer-encoding']]).toEqual([204, 0, undefined]);
    const same = await ask(proxy.origin, { path: '/304' });
    expect([same.status, same.headers.etag, same.body.length]).toEqual([304, '"v1"', 0]);
  });

  it('keeps its connection to OpenSearch, also after HEAD and a GET with a body', async () => {
    const ports = new Set<number | undefined>();
    const proxy = await start(async (incoming, response) => {
      ports.add(incoming.socket.remotePort);
      await bodyOf(incoming);
      response.end();
    });
    await ask(proxy.origin, { method: 'HEAD' });
    await ask(proxy.origin, { body: '{"query":{}}', headers: { 'Content-Length': '12' } });
    await ask(proxy.origin);
    expect(ports.size).toBe(1);
  });

  it('is streamed: the beginning of an answer comes before its end is there', async () => {
    const proxy = await start((_incoming, response) => {
      response.write('first');
      systemTimers.after(300, () => response.end('last'));
    });
    const outgoing = request(proxy.origin, { agent: false });
    outgoing.end();
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    const [chunk] = (await once(incoming, 'data')) as [Buffer];
    expect(chunk.toString()).toBe('first');
    incoming.resume();
    await once(incoming, 'end');
  });

  it('is streamed: large bodies cross in both directions without being held', async () => {
    const size = 8 * 1024 * 1024;
    const proxy = await start(async (incoming, response) => {
      response.end(await bodyOf(incoming));
    });
    const body = Buffer.alloc(size, 'x');
    const plain = await ask(proxy.origin, { method: 'POST', body });
    expect(plain.body.equals(body)).toBe(true);
    const chunked = await ask(proxy.origin, {
      method: 'POST',
      body,
      headers: { 'Transfer-Encoding': 'chunked' },
    });
    expect(chunked.body.equals(body)).toBe(true);
  });

  it('may ask to be told to continue', async () => {
    const proxy = await start(async (incoming, response) => {
      response.end(`${incoming.headers.expect} ${await bodyOf(incoming)}`);
    });
    const outgoing = request(proxy.origin, {
      method: 'PUT',
      headers: { Expect: '100-continue', 'Content-Length': '4' },
      agent: false,
    });
    outgoing.flushHeaders();
    await once(outgoing, 'continue');
    outgoing.end('body');
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect((await bodyOf(incoming)).toString()).toBe('undefined body');
  });

  it('is given up at OpenSearch when its client goes away', async () => {
    let told: () => void = () => undefined;
    const cut = new Promise<void>((resolve) => {
      told = resolve;
    });
    let arrived: () => void = () => undefined;
    const there = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const proxy = await start((incoming) => {
      incoming.socket.once('close', told);
      arrived();
    });
    const outgoing = request(proxy.origin, { agent: false });
    outgoing.on('error', () => undefined);
    outgoing.end();
    await there;
    outgoing.destroy();
    await cut;
    expect(proxy.reported).toEqual([]);
  });

  it('is given up at OpenSearch when its client goes away in the middle of its body', async () => {
    let told: (complete: boolean) => void = () => undefined;
    const cut = new Promise<boolean>((resolve) => {
      told = resolve;
    });
    const proxy = await start((incoming) => {
      incoming.on('error', () => undefined);
      incoming.on('close', () => told(incoming.complete));
      incoming.resume();
    });
    const outgoing = request(proxy.origin, {
      method: 'POST',
      headers: { 'Content-Length': '1000' },
      agent: false,
    });
    outgoing.on('error', () => undefined);
    outgoing.write('half');
    await delay(systemTimers, 50);
    outgoing.destroy();
    expect(await cut).toBe(false);
  });
});

describe('OpenSearch that fails', () => {
  it('is a 502 as JSON where nobody answers', async () => {
    const proxy = await startFor([await deadOrigin()]);
    const { status, headers, body } = await ask(proxy.origin, {
      method: 'POST',
      body: '{}',
      path: '/x?secret=1',
    });
    expect([status, headers['content-type']]).toEqual([502, 'application/json; charset=utf-8']);
    expect(json(body)).toMatchObject({ status: 502, error: { type: 'bad_gateway_exception' } });
    expect(json(body).error.reason).toMatch(/^POST http:\/\/127\.0\.0\.1:\d+\/x: ECONNREFUSED$/);
    expect(proxy.reported).toHaveLength(1);
  });

  it('is asked at another node where one is down, also for a body that is still coming', async () => {
    const { origin, server } = await startServer(async (incoming, response) => {
      response.end(await bodyOf(incoming));
    });
    stops.push(() => new Promise((resolve) => server.close(resolve)));
    const proxy = await startFor([await deadOrigin(), origin, await deadOrigin()]);
    const body = Buffer.alloc(200_000, 'y');
    for (let count = 0; count < 6; count += 1) {
      const answer = await ask(proxy.origin, { method: 'POST', body });
      expect([answer.status, answer.body.equals(body)]).toEqual([200, true]);
    }
  });

  it('is asked again at another node when it breaks off a read, never when it breaks off a write', async () => {
    const { origin: broken, server } = await startServer((incoming) => incoming.socket.destroy());
    let writes = 0;
    const { origin: sound, server: other } = await startServer((incoming, response) => {
      if (incoming.method !== 'GET') writes += 1;
      response.end('sound');
    });
    stops.push(
      () => new Promise((resolve) => server.close(resolve)),
      () => new Promise((resolve) => other.close(resolve)),
    );
    for (let turn = 0; turn < 2; turn += 1) {
      const proxy = await startFor(turn === 0 ? [sound, broken] : [broken, sound]);
      expect((await ask(proxy.origin)).body.toString()).toBe('sound');
    }
    const proxy = await startFor([sound, broken]);
    const answer = await ask(proxy.origin, { method: 'POST', body: '{}' });
    expect([answer.status, writes]).toEqual([502, 0]);
  });

  it('is a 504 as JSON when it is too slow, later than its client lets it wait', async () => {
    const proxy = await start(() => undefined, 100);
    const { status, body } = await ask(proxy.origin, { path: '/x?timeout=200ms' });
    expect([status, json(body).error.type]).toEqual([504, 'timeout_exception']);
    expect(json(body).error.reason).toContain('no answer within 300 ms');
  });

  it('leaves no half answer that looks whole', async () => {
    const proxy = await start((incoming, response) => {
      if (incoming.url === '/counted') response.writeHead(200, { 'Content-Length': '100' });
      response.write('half');
      systemTimers.after(20, () => incoming.socket.destroy());
    });
    for (const path of ['/counted', '/chunked']) {
      const { status, body, complete } = await ask(proxy.origin, { path });
      expect([status, body.toString(), complete]).toEqual([200, 'half', false]);
    }
  });

  it('leaves no half answer that looks whole when it stops in the middle', async () => {
    const proxy = await start((_incoming, response) => {
      response.write('half');
    }, 100);
    expect(await ask(proxy.origin)).toMatchObject({ status: 200, complete: false });
  });

  it('is a 502 where it answers something that is no HTTP', async () => {
    const proxy = await start((incoming) => incoming.socket.end('SSH-2.0-OpenSSH\r\n'));
    expect((await ask(proxy.origin)).status).toBe(502);
  });

  it('may answer before it has read the body: its client hears 413, not a broken connection', async () => {
    const proxy = await start((_incoming, response) => {
      response.writeHead(413);
      response.end('too large');
    });
    const { status, body } = await ask(proxy.origin, { method: 'POST', body: Buffer.alloc(500_000) });
    expect([status, body.toString()]).toEqual([413, 'too large']);
  });

  it('passes bad requests on as they are', async () => {
    const proxy = await start((incoming, response) => response.end(incoming.url));
    expect((await ask(proxy.origin, { path: '/%zz%' })).body.toString()).toBe('/%zz%');
    expect((await ask(proxy.origin, { path: '//x//y' })).body.toString()).toBe('//x//y');
  });
});
