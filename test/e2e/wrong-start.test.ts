// Everything that can be wrong at a start: ports, directories, Redis, the configuration. Each is one line that says what to do, and exit code 1.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { freePort, freePorts } from '../support/free-ports.ts';
import { startRealRedis } from '../support/real-redis.ts';
import { runNode } from '../support/run-to-end.ts';

jest.setTimeout(60_000);

const COORDINATOR = 'packages/coordinator/dist/main.js';
const DATA_NODE = 'packages/datanode/dist/main.js';
const START = 'scripts/start.mjs';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'weir-wrong-start-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** A directory of its own below the test's. */
function place(name: string): string {
  const path = join(directory, name);
  mkdirSync(path, { recursive: true });
  return path;
}

describe('a wrong start', () => {
  const wrong = async (
    script: string,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<string> => {
    const { ended, stderr } = await runNode([script, ...args], { env });
    expect(ended).toBe(1);
    const lines = stderr.split('\n');
    expect(lines).toHaveLength(2);
    return lines[0] ?? '';
  };

  it('on a file in place of a data directory is one line that names it and what to do', async () => {
    const path = join(directory, 'a-file');
    writeFileSync(path, '');
    const redis = await startRealRedis();
    try {
      for (const [script, redisUrl] of [
        [START, ''],
        [DATA_NODE, redis.url],
      ] as const) {
        const port = String(await freePort());
        const env = { WEIR_HTTP_PORT: port, WEIR_REDIS_URL: redisUrl };
        expect(await wrong(script, ['--data-dir', path], env)).toMatch(
          /^weir( datanode)?: .*a-file\]? cannot be written .*: make it .*this user.* or choose another/,
        );
      }
    } finally {
      await redis.stop();
    }
  });

  it.each([
    [START, 'weir: Redis at WEIR_REDIS_URL does not answer'],
    [COORDINATOR, 'weir coordinator: cannot use Redis at'],
    [DATA_NODE, 'weir datanode: cannot use Redis at'],
  ])('with a Redis that is not there is one line: %s', async (script, begin) => {
    const [port = 0, redisPort = 0] = await freePorts(2);
    const url = `redis://:not-a-word-of-this@127.0.0.1:${redisPort}`;
    const line = await wrong(script, ['--data-dir', place('no-redis')], {
      WEIR_HTTP_PORT: String(port),
      WEIR_REDIS_URL: url,
    });
    expect(line.startsWith(begin)).toBe(true);
    expect(line).toContain('ECONNREFUSED');
    expect(line).not.toContain('not-a-word-of-this');
  });

  it('with something else than Redis at its URL is one line too', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    });
    const port = await freePort();
    server.listen(port, '127.0.0.1');
    try {
      const env = { WEIR_HTTP_PORT: '0', WEIR_REDIS_URL: `redis://127.0.0.1:${port}` };
      for (const script of [START, DATA_NODE])
        expect(await wrong(script, ['--data-dir', place('other')], env)).toMatch(/^weir.*Redis/);
    } finally {
      server.close();
    }
  });

  it.each([
    [START, 'weir:'],
    [COORDINATOR, 'weir coordinator:'],
    [DATA_NODE, 'weir datanode:'],
  ])('with several mistakes names all of them in one line: %s', async (script, begin) => {
    const line = await wrong(script, ['--http-port', '99999', '--bogus'], { WEIR_REDIS_URL: 'nonsense' });
    expect(line.startsWith(`${begin} 3 mistakes in the configuration: `)).toBe(true);
    for (const part of ['--bogus', '"99999"', 'WEIR_REDIS_URL']) expect(line).toContain(part);
  });

  it.each([COORDINATOR, DATA_NODE])('of a service on a busy port is one line: %s', async (script) => {
    const redis = await startRealRedis();
    const server = createServer();
    const port = await freePort();
    server.listen(port, '127.0.0.1');
    try {
      const args = [
        '--http-port',
        String(port),
        '--data-dir',
        place(`busy-${port}`),
        '--redis-url',
        redis.url,
      ];
      expect(await wrong(script, args)).toContain(
        `port ${port} on 127.0.0.1 is in use: stop what listens there or choose another with --http-port`,
      );
    } finally {
      server.close();
      await redis.stop();
    }
  });
});

describe('the loader without a cluster', () => {
  it('says so in one line', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const args = ['tools/dist/load.js', 'wordnet', '--index', 'words', '--url', url];
    const { ended, stdout, stderr } = await runNode(args);
    expect([ended, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^load: nobody answers at .* \(connect ECONNREFUSED .*--url\n$/);
  });
});

describe('the services alone', () => {
  it.each([COORDINATOR, DATA_NODE, START])('say their options and their version: %s', async (script) => {
    const help = await runNode([script, '--help']);
    expect([help.ended, help.stderr]).toEqual([0, '']);
    for (const option of ['--http-port <port>   WEIR_HTTP_PORT   weir.http.port', '--data-dir', '--version'])
      expect(help.stdout).toContain(option);
    const version = await runNode([script, '--version']);
    expect([version.ended, version.stderr, version.stdout]).toEqual([
      0,
      '',
      expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    ]);
  });
});
