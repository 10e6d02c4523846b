import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { systemYield } from '@weir/shared';
import { DEFAULT_SETTINGS } from '@weir/shared/testing';
import { type DataPath, startDataPath } from '../testing/data-path.ts';

const MIB = 1024 * 1024;
const PAIR = '{"index":{"_id":"1"}}\n{"m":"x"}\n';

let path: DataPath;
afterEach(() => path.stop(100));

const startWith = async (maxBodyBytes: number, limitBytes?: number) => {
  path = await startDataPath({
    settings: { bulk: { refusal: 'item', maxBodyBytes } },
    ...(limitBytes === undefined ? {} : { limitBytes }),
  });
};
const heldBytes = () => path.pressure.report().currentBytes.coordinating;

/** A valid body of exactly `bytes`. */
function bodyOf(bytes: number): string {
  return `{"index":{"_id":"1"}}\n{"m":"${'x'.repeat(bytes - '{"index":{"_id":"1"}}\n{"m":""}\n'.length)}"}\n`;
}

/** Sends a body piece by piece, chunked; resolves with the answer, whenever it comes. */
function sendPieces(pieces: readonly Buffer[], headers: Record<string, string> = {}) {
  return new Promise<{ status: number | undefined; body: string; sentBytes: number }>((resolve, reject) => {
    let sentBytes = 0;
    let answered = false;
    const sending = httpRequest(`${path.origin}/logs-a/_bulk`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson', ...headers },
    });
    sending.on('error', (error) => (answered ? undefined : reject(error)));
    sending.on('response', async (response: IncomingMessage) => {
      answered = true;
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode, body: Buffer.concat(chunks).toString(), sentBytes });
    });
    void (async () => {
      for (const piece of pieces) {
        if (answered) return;
        sentBytes += piece.length;
        if (!sending.write(piece)) await writable(sending);
      }
      sending.end();
    })();
  });
}

/** Waits until more can be written, or nothing ever will. */
function writable(sending: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      sending.off('drain', go).off('close', go);
      resolve();
    };
    sending.once('drain', go).once('close', go);
  });
}

/** Writes raw bytes and reads until the other side ends or `until` has come. */
async function raw(text: string, until: string): Promise<{ seen: string; socket: Socket }> {
  const socket = connect(path.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(text);
  let seen = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    seen += chunk;
    if (seen.includes(until)) break;
  }
  return { seen, socket };
}

describe('the content type of a bulk', () => {
  it.each([
    'application/x-ndjson',
    'application/json',
    'application/json; charset=utf-8',
    'application/x-ndjson;charset=UTF-8',
    'application/x-ndjson; charset="utf-8"',
    'application/x-ndjson; charset=UTF8',
    'application/vnd.elasticsearch+x-ndjson; compatible-with=9',
    'application/vnd.opensearch+json;compatible-with=2',
    'APPLICATION/JSON',
  ])('C010, C012, C018: %s is accepted', async (type) => {
    await startWith(MIB);
    expect((await path.bulk('/logs-a/_bulk', PAIR, { 'content-type': type })).status).toBe(200);
  });

  it('C010: another charset is a 415 and nothing of it is stored', async () => {
    await startWith(MIB);
    const body = Buffer.from('{"index":{}}\n{"m":"\xe9"}\n', 'latin1');
    const answer = await path.bulk('/logs-a/_bulk', body, {
      'content-type': 'application/x-ndjson; charset=ISO-8859-1',
    });
    expect(answer.status).toBe(415);
    expect(answer.body).toMatchObject({ error: { reason: expect.stringContaining('charset [ISO-8859-1]') } });
    expect(path.nodes.requests).toEqual([]);
  });

  it('text is a 406 with the list of what is allowed, and so is no type at all', async () => {
    await startWith(MIB);
    const answer = await path.bulk('/logs-a/_bulk', PAIR, { 'content-type': 'text/plain' });
    expect(answer.status).toBe(406);
    expect(answer.body).toMatchObject({
      status: 406,
      error: { reason: expect.stringContaining('allowed: [application/x-ndjson') },
    });
    const length = Buffer.byteLength(PAIR);
    const { seen, socket } = await raw(
      `POST /logs-a/_bulk HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${PAIR}`,
      '}',
    );
    socket.destroy();
    expect(seen).toMatch(/^HTTP\/1.1 406 /);
  });

  it("C020: curl's form type is told of the missing newline, and a whole body of it is a 406", async () => {
    await startWith(MIB);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const stripped = await path.bulk('/_bulk', '{"index":{"_index":"c","_id":"1"}}{"a":1}', form);
    expect(stripped.status).toBe(400);
    expect(stripped.text).toContain('must be terminated by a newline');
    expect((await path.bulk('/logs-a/_bulk', PAIR, form)).status).toBe(406);
    expect(path.nodes.requests).toEqual([]);
  });

  it('no body at all is a 400 that asks for one', async () => {
    await startWith(MIB);
    expect((await path.bulk('/logs-a/_bulk', '')).body).toMatchObject({
      error: { type: 'parse_exception', reason: 'request body is required' },
    });
  });
});

describe('the encoding of a bulk', () => {
  it.each(['gzip', 'x-gzip', 'GZIP'])('C014: %s is inflated', async (encoding) => {
    await startWith(MIB);
    const answer = await path.bulk('/logs-a/_bulk', gzipSync(PAIR), { 'content-encoding': encoding });
    expect(answer.items.map((item) => item.status)).toEqual([201]);
  });

  it.each(['zstd', 'br', 'gzip, gzip', 'deflate'])('C014: %s is a 415 with the list', async (encoding) => {
    await startWith(MIB);
    const answer = await path.bulk('/logs-a/_bulk', 'x', { 'content-encoding': encoding });
    expect(answer.status).toBe(415);
    expect(answer.text).toContain('allowed: [gzip, x-gzip, identity]');
  });

  it('C013: gzip without its header is a 400 that says so', async () => {
    await startWith(MIB);
    const answer = await path.bulk('/logs-a/_bulk', gzipSync(PAIR));
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('header [Content-Encoding: gzip] is missing');
  });

  it('two gzip members are one body; a cut or corrupt one is a 400', async () => {
    await startWith(MIB);
    const gzip = { 'content-encoding': 'gzip' };
    const two = Buffer.concat([gzipSync(PAIR), gzipSync(PAIR)]);
    expect((await path.bulk('/logs-a/_bulk', two, gzip)).items).toHaveLength(2);
    for (const broken of [gzipSync(PAIR).subarray(0, 20), Buffer.from('not gzip'), two.fill(0, 12, 20)]) {
      const answer = await path.bulk('/logs-a/_bulk', broken, gzip);
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('body is not valid gzip')]);
    }
    expect(heldBytes()).toBe(0);
  });
});

describe('the size of a bulk', () => {
  it('C019: exactly the limit is accepted, one byte more is a 413 with the limit in bytes', async () => {
    await startWith(MIB);
    expect((await path.bulk('/logs-a/_bulk', bodyOf(MIB))).status).toBe(200);
    const over = await path.bulk('/logs-a/_bulk', bodyOf(MIB + 1));
    expect(over.status).toBe(413);
    expect(over.body).toMatchObject({
      status: 413,
      error: {
        type: 'content_too_long_exception',
        limit_bytes: MIB,
        reason: `request body of ${MIB + 1} bytes is over the limit [weir.bulk.max_body] of ${MIB} bytes`,
      },
    });
    expect(path.nodes.requests).toHaveLength(1);
  });

  it('C019: a chunked body is not read to its end once it passes the limit', async () => {
    await startWith(MIB);
    const { status, body, sentBytes } = await sendPieces(
      Array.from({ length: 640 }, () => Buffer.alloc(100_000, 'x')),
    );
    expect([status, JSON.parse(body).error.limit_bytes]).toEqual([413, MIB]);
    expect(sentBytes).toBeLessThan(30 * MIB);
    expect(heldBytes()).toBe(0);
  });

  it('C016: the limit is on inflated bytes, and the error says which and how much', async () => {
    await startWith(MIB);
    const gzip = { 'content-encoding': 'gzip' };
    const over = await path.bulk('/logs-a/_bulk', gzipSync(bodyOf(2_100_000)), gzip);
    expect([over.status, over.body]).toMatchObject([413, { error: { limit_bytes: MIB } }]);
    expect((await path.bulk('/logs-a/_bulk', gzipSync(bodyOf(900_000)), gzip)).status).toBe(200);
  });

  it('C144: twenty bombs of 1 GB in parallel stop at the limit', async () => {
    await startWith(10 * MIB, 1024 * MIB);
    // Members of one gzip stream are inflated one after the other, so a bomb needs no gigabyte to be made.
    const member = gzipSync(Buffer.alloc(16 * MIB, 'x'));
    const bomb = Buffer.concat(Array.from({ length: 64 }, () => member));
    const before = process.cpuUsage();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => path.bulk('/logs-a/_bulk', bomb, { 'content-encoding': 'gzip' })),
    );
    const { user, system } = process.cpuUsage(before);
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 413));
    expect((user + system) / 1e6 / answers.length).toBeLessThan(0.5);
    expect(heldBytes()).toBe(0);
  }, 30_000);

  it('C025: is sent for at once when it fits, and refused by its declared length before it is sent', async () => {
    await startWith(2 * MIB);
    const head = (bytes: number) =>
      `POST /logs-a/_bulk HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\nContent-Length: ${bytes}\r\nExpect: 100-continue\r\n\r\n`;
    const fitting = await raw(head(1_840_000), '\r\n\r\n');
    expect(fitting.seen).toMatch(/^HTTP\/1.1 100 Continue/);
    const answer = once(fitting.socket, 'data');
    fitting.socket.write(bodyOf(1_840_000));
    expect(String((await answer)[0])).toMatch(/^HTTP\/1.1 200 /);
    fitting.socket.destroy();
    const over = await raw(head(3 * MIB), 'never');
    expect(over.seen).toMatch(/^HTTP\/1.1 413 [\s\S]*Connection: close/);
    expect(over.seen).not.toContain('100 Continue');
  });

  it('C026: in pieces of 7 bytes gives the same', async () => {
    await startWith(MIB);
    const body = Buffer.from('{"index":{"_id":"日本"}}\r\n{"m":"é😀"}\r\n'.repeat(2_000));
    const pieces = Array.from({ length: Math.ceil(body.length / 7) }, (_, at) =>
      body.subarray(at * 7, at * 7 + 7),
    );
    const { status, body: answer } = await sendPieces(pieces);
    expect([status, JSON.parse(answer).items.length]).toEqual([200, 2_000]);
    const sources = path.nodes.requests[0]?.operations.map((operation) => operation.source.toString());
    expect(new Set(sources)).toEqual(new Set(['{"m":"é😀"}']));
  });

  it('gives back what it held when its client breaks off in the middle', async () => {
    await startWith(10 * MIB);
    const { socket } = await raw(
      `POST /logs-a/_bulk HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 1000000\r\n\r\n`,
      '\r\n\r\n',
    );
    socket.write('x'.repeat(200_000));
    while (heldBytes() === 0) await systemYield();
    expect(heldBytes()).toBe(1_000_000);
    socket.destroy();
    while (heldBytes() > 0) await systemYield();
    expect(path.reported).toEqual([]);
  });

  it('C146: holds little for a client that only began to send', async () => {
    await startWith(10 * MIB);
    const { socket } = await raw(
      `POST /logs-a/_bulk HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 1000000\r\n\r\n`,
      '\r\n\r\n',
    );
    socket.write('x');
    while (heldBytes() === 0) await systemYield();
    expect(heldBytes()).toBe(64 * 1024);
    socket.destroy();
  });
});

describe('the bytes in flight at a coordinator', () => {
  it('C040: a request that does not fit beside the others is a whole 429 with what is held, added and allowed, and passes later', async () => {
    await startWith(100 * MIB, 100 * MIB);
    const held = path.pressure.acquire('coordinating', 95 * MIB);
    const body = bodyOf(10 * MIB);
    const answer = await path.bulk('/logs-a/_bulk', body);
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(answer.body).toMatchObject({
      status: 429,
      error: {
        type: 'rejected_execution_exception',
        reason: `request of ${10 * MIB} bytes refused by coordinator: coordinator_bytes at [c1], ${95 * MIB} bytes in flight + ${10 * MIB} added = ${105 * MIB}, limit ${100 * MIB}`,
        weir: { reason: 'coordinator_bytes', signal: 'bytes', value: 105 * MIB, limit: 100 * MIB },
      },
    });
    expect(path.decisions.map(({ context }) => [context.role, context.index, context.bytes])).toEqual([
      ['coordinator', 'logs-a', 10 * MIB],
    ]);
    if (held.ok) held.release();
    expect((await path.bulk('/logs-a/_bulk', body)).status).toBe(200);
    expect(heldBytes()).toBe(0);
  });

  it('C040: a request larger than the whole limit is a 413, never a 429', async () => {
    await startWith(100 * MIB, MIB);
    const answer = await path.bulk('/logs-a/_bulk', bodyOf(2 * MIB));
    expect([answer.status, answer.body]).toMatchObject([413, { error: { limit_bytes: MIB } }]);
    expect(answer.headers.get('retry-after')).toBeNull();
  });

  it('counts what very many small operations take beside their bytes', async () => {
    await startWith(100 * MIB, MIB);
    const answer = await path.bulk('/logs-a/_bulk', '{"delete":{"_id":"1"}}\n'.repeat(20_000));
    expect(answer.status).toBe(413);
    expect(path.nodes.requests).toEqual([]);
    expect(heldBytes()).toBe(0);
  });

  it('C058: says nothing of waiting where the settings want no Retry-After', async () => {
    path = await startDataPath({
      limitBytes: MIB,
      settings: { retryAfter: { ...DEFAULT_SETTINGS.retryAfter, enabled: false } },
    });
    path.pressure.acquire('coordinating', MIB);
    const answer = await path.bulk('/logs-a/_bulk', PAIR);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, null]);
  });
});
