import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../support/eventually.ts';

jest.setTimeout(120_000);

const MAIN = join(process.cwd(), 'packages/standalone/dist/main.js');
let directory: string;
let children: ChildProcess[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'weir-standalone-'));
});
afterEach(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  children = [];
  await rm(directory, { recursive: true, force: true });
});

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function run(port: number) {
  const argv = ['--http-port', String(port), '--datanode-port', '0', '--data-dir', directory];
  const child = spawn(process.execPath, [MAIN, ...argv], { stdio: ['ignore', 'ignore', 'pipe'] });
  children.push(child);
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += String(chunk);
  });
  const origin = `http://127.0.0.1:${port}`;
  const ask = async (path: string, init?: RequestInit) =>
    (await (await fetch(origin + path, init)).json()) as Record<string, unknown>;
  const ready = () =>
    eventually(async () => (await fetch(`${origin}/readyz`).catch(() => undefined))?.status === 200, 60_000);
  return { child, ask, ready, said: () => said, ended: once(child, 'exit') };
}

describe('the whole cluster in one process', () => {
  it('indexes, finds, ends with code 0 on Ctrl-C, and has everything again after a restart', async () => {
    const port = await freePort();
    const first = run(port);
    await first.ready();
    const lines = ['one', 'two', 'three'].flatMap((m, id) => [
      { index: { _index: 'logs', _id: `${id}` } },
      { m },
    ]);
    const bulk = await first.ask('/_bulk?refresh=true', {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    });
    expect(bulk).toMatchObject({
      errors: false,
      items: [{ index: { status: 201, _shards: { total: 2, successful: 2, failed: 0 } } }, {}, {}],
    });
    first.child.kill('SIGINT');
    expect((await first.ended)[0]).toBe(0);

    const second = run(port);
    await second.ready();
    expect(await second.ask('/logs/_count')).toMatchObject({ count: 3 });
    expect(await second.ask('/logs/_search?q=m:two')).toMatchObject({
      hits: { total: { value: 1 }, hits: [{ _id: '1', _source: { m: 'two' } }] },
    });
    expect(await second.ask('/_cluster/health')).toMatchObject({ status: 'green', number_of_data_nodes: 3 });
  });

  it('says in one line what to do about a taken port or directory, with exit code 1', async () => {
    const taken = await freePort();
    const first = run(taken);
    await first.ready();
    const sameDirectory = run(await freePort());
    expect((await sameDirectory.ended)[0]).toBe(1);
    expect(sameDirectory.said()).toMatch(
      /^weir standalone: data directory .*dn1\] is in use by another process[^\n]*\n$/,
    );
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    first.child.kill('SIGINT');
    await first.ended;
    const samePort = run((blocker.address() as AddressInfo).port);
    expect((await samePort.ended)[0]).toBe(1);
    expect(samePort.said()).toMatch(/^weir standalone: [^\n]*port[^\n]*\n$/);
    blocker.close();
  });
});
