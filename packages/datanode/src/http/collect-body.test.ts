import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Listening, serve, type WeirError } from '@weir/shared';
import { collectBody } from './collect-body.ts';

const LIMIT_BYTES = 1_000;
let listening: Listening;
let onFailure: (code: string) => void = () => {};

beforeAll(async () => {
  listening = await serve(
    (request, response) => {
      collectBody(request, LIMIT_BYTES).then(
        (body) => response.end(String(body.length)),
        (error: WeirError) => {
          onFailure(error.code);
          response.writeHead(error.status).end(error.message);
        },
      );
    },
    { host: '127.0.0.1', port: 0 },
  );
});
afterAll(() => listening.stop(100));

const post = async (body: string | ReadableStream): Promise<[number, string]> => {
  const response = await fetch(listening.origin, { method: 'POST', body, duplex: 'half' } as RequestInit);
  return [response.status, await response.text()];
};

describe('the body of an internal request', () => {
  it('is taken whole up to the limit, also in pieces', async () => {
    expect(await post('x'.repeat(LIMIT_BYTES))).toEqual([200, '1000']);
    const pieces = new Blob(['a'.repeat(10), 'b'.repeat(20)]).stream();
    expect(await post(pieces)).toEqual([200, '30']);
    expect(await post('')).toEqual([200, '0']);
  });

  it('is refused with both sizes when it is larger, whether or not it says so first', async () => {
    expect(await post('x'.repeat(LIMIT_BYTES + 1))).toEqual([
      413,
      'body of 1001 bytes or more is over the limit of 1000 bytes',
    ]);
    const [status] = await post(new Blob(['a'.repeat(900), 'b'.repeat(900)]).stream());
    expect(status).toBe(413);
  });

  it('fails when the sender breaks off, and hangs nothing', async () => {
    const failure = new Promise<string>((resolve) => {
      onFailure = resolve;
    });
    const socket = connect(listening.port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 500\r\n\r\nabc', () => socket.destroy());
    expect(await failure).toBe('illegal_argument');
  });
});
