import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Listening, serve } from './serve.ts';

let server: Listening;
beforeAll(async () => {
  server = await serve(
    (request, response) => {
      // An answer that has begun and never ends.
      if (request.url === '/begun') response.write('begun');
      else if (request.url !== '/waits') response.end('whole');
    },
    { host: '127.0.0.1', port: 0 },
  );
});
afterAll(() => server.stop(0));

/** Everything the server says on a connection that sends this, and more once an answer has begun. */
async function say(sent: string, afterBegin?: string): Promise<string> {
  const socket = createConnection(server.port, '127.0.0.1');
  const heard = text(socket).catch(() => '');
  if (afterBegin !== undefined) socket.once('data', () => socket.write(afterBegin));
  socket.write(sent);
  return heard;
}

function errorOf(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toContain('Content-Type: application/json; charset=utf-8');
  expect(head).toContain('Connection: close');
  expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`);
  return JSON.parse(body) as { status: number; error: { type: string; reason: string } };
}

describe('a request that is no HTTP', () => {
  it.each([
    ['words', 'HELLO WORLD\r\n\r\n'],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n'],
    ['a chunk without a size', 'POST /waits HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}'],
  ])('is a 400 in JSON that says so: %s', async (_what, sent) => {
    const answer = await say(sent);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    const { status, error } = errorOf(answer);
    expect([status, error.type]).toEqual([400, 'illegal_argument_exception']);
    expect(error.reason).toMatch(/^the request is not valid HTTP: Parse Error/);
  });

  it('but a head that is too large is a 400 that tells the limit', async () => {
    const answer = await say(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(errorOf(answer).error.reason).toBe('the head of the request is larger than 16384 bytes');
  });

  it('after an answer has begun cuts the connection and adds nothing to that answer', async () => {
    const answer = await say(
      'POST /begun HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n',
      'zz\r\n',
    );
    expect(answer.split('HTTP/1.1').length - 1).toBeLessThanOrEqual(1);
    expect(answer).not.toContain('illegal_argument');
  });
});
