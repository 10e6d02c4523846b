// The first minute of a stranger: the command, what it prints and that it works, Ctrl-C, and the next start.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { freePorts } from '../support/free-ports.ts';
import { startRealRedis } from '../support/real-redis.ts';
import { runNode, runToEnd } from '../support/run-to-end.ts';
import { type StartCommand, startCommand } from '../support/start-command.ts';

jest.setTimeout(180_000);

const START = 'scripts/start.mjs';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'weir-start-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** A directory of its own below the test's. */
function place(name: string): string {
  const path = join(directory, name);
  mkdirSync(path, { recursive: true });
  return path;
}

const printed = (command: StartCommand): Promise<number> =>
  eventually(() => command.output().includes('Ready. Try'), 60_000);

describe('npm start', () => {
  let running: StartCommand;
  beforeAll(async () => {
    running = await startCommand({ directory: place('first') });
    await running.start();
    await printed(running);
  });
  afterAll(() => running.stop());

  it('prints commands that work as they stand there', async () => {
    const shell = (command: string) => runToEnd(['sh', '-c', command]);
    const commands = printedCommands(running.output());
    expect([...commands.keys()]).toEqual([
      ...['index', 'bulk', 'search', 'view', 'settings', 'refuse', 'undo', 'overload'],
    ]);
    expect(commands.get('overload')).toBe(
      `npm run load -- cities --index cities --concurrency 64 --url ${running.origin}`,
    );
    const run = async (name: string) => (await shell(`${commands.get(name)} -s`)).stdout;
    expect(await run('index')).toContain('"result":"created"');
    expect(await run('bulk')).toContain('"errors":false');
    await running.send('POST', '/books/_refresh');
    expect(await run('search')).toContain('On weirs and rivers');
    expect(await run('view')).toContain('"dn3"');
    expect(await run('settings')).toContain('weir.admission.cpu.primary.soft');
    expect(await run('refuse')).toContain('"acknowledged":true');
    await eventually(async () => (await run('index')).includes('"status":429'));
    // The first one may be a data node's own, which knew of the limit first and has a list of its own.
    await eventually(async () => {
      await run('index');
      return (await running.ask('/_weir/rejections?pretty')).text.includes('"signal": "heap"');
    });
    expect(await run('undo')).toContain('"acknowledged":true');
    await eventually(async () => (await run('index')).includes('"result":"updated"'));
  });

  it('says that its data directory is taken when started twice, and leaves the first alone', async () => {
    const [port = 0, dataNodePort = 0] = await freePorts(2);
    const { ended, stderr } = await runNode([START], {
      env: {
        WEIR_DATA_DIR: join(directory, 'first/data'),
        WEIR_HTTP_PORT: String(port),
        WEIR_DATANODE_PORT: String(dataNodePort),
      },
    });
    expect(ended).toBe(1);
    expect(stderr).toMatch(
      /^weir: data directory \[.*first\/data\/dn1\] is in use by another process: stop it, or choose another directory$/m,
    );
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(logsIn(join(directory, 'first/data/logs')).join('')).not.toContain('in use by another process');
    expect((await running.ask('/livez')).status).toBe(200);
  });

  it('says that its port is taken when that is so', async () => {
    const { ended, stderr } = await runNode([START, '--data-dir', place('port')], {
      env: { WEIR_HTTP_PORT: String(running.port) },
    });
    expect([ended, stderr]).toEqual([
      1,
      `weir: port ${running.port} on 127.0.0.1 cannot be used (EADDRINUSE): stop what listens there or choose another with --http-port (WEIR_HTTP_PORT)\n`,
    ]);
  });

  it('moves the data nodes out of the way of the port that was asked for', async () => {
    const crowded = await startCommand({ directory: place('crowded'), dataNodesAt: 0 });
    await crowded.start();
    expect(crowded.output()).toContain(`data nodes listen from ${crowded.port + 1}.`);
    expect(await crowded.stop('SIGINT')).toBe(0);
  });

  it('stops in order at Ctrl-C, with exit code 0, and its data are there at the next start', async () => {
    await running.send('PUT', '/_cluster/settings', {
      persistent: { 'weir.admission.heap.primary.soft': 81 },
      transient: { 'weir.admission.heap.primary.hard': 93 },
    });
    const stored = await running.send('PUT', '/kept/_doc/1?refresh=true', { text: 'still here' });
    expect([stored.status, stored.text]).toEqual([201, expect.stringContaining('"successful":2')]);
    expect(await running.stop('SIGINT')).toBe(0);
    expect(running.output()).toMatch(/Stopping in order …\nStopped\.\n$/);
    await expect(running.ask('/livez')).rejects.toThrow();

    await running.start();
    expect((await running.ask('/kept/_source/1')).text).toBe('{"text":"still here"}');
    expect((await running.ask('/kept/_count')).body['count']).toBe(1);
    const { body } = await running.ask('/_cluster/settings?flat_settings=true');
    expect(body).toEqual({ persistent: { 'weir.admission.heap.primary.soft': '81' }, transient: {} });
  });

  it('ends when its terminal sends Ctrl-C to npm, the shell and the command at once', async () => {
    await running.stop();
    const command = await startCommand({ directory: place('npm'), program: ['npm', 'start'] });
    await command.start();
    await printed(command);
    process.kill(-command.pid, 'SIGINT');
    await command.ended;
    await eventually(() => command.output().endsWith('Stopped.\n'), 20_000);
  });

  it('leaves no process behind when it is killed', async () => {
    const killed = await startCommand({ directory: place('killed') });
    await killed.start();
    const logs = logsIn(join(directory, 'killed/data/logs'));
    // Weir's log lines name the process, and Redis begins each with it.
    const pids = logs.map((text) => Number(/"pid":(\d+)|^(\d+):/m.exec(text)?.slice(1).join('')));
    expect(pids.filter(isRunning)).toHaveLength(5);
    killed.signal('SIGKILL');
    await eventually(() => !pids.some(isRunning), 30_000);
  });
});

describe('npm start with a Redis that is given', () => {
  it('uses that one and leaves it running; a process that dies ends everything, and is named', async () => {
    const redis = await startRealRedis();
    try {
      const running = await startCommand({
        directory: place('given'),
        env: { WEIR_REDIS_URL: redis.url, WEIR_CLUSTER_NAME: 'given' },
      });
      await running.start();
      await printed(running);
      expect(await redis.admin.keys('weir:given:*')).not.toEqual([]);
      const log = readFileSync(join(directory, 'given/data/logs/dn2.log'), 'utf8');
      process.kill(JSON.parse(log.split('\n')[0] ?? '').pid, 'SIGKILL');
      expect(await running.ended).toBe(1);
      expect(running.output()).toMatch(
        /\nweir: dn2 was ended by SIGKILL.*\nEverything else is stopped\.\n$/s,
      );
      expect(await redis.admin.ping()).toBe('PONG');
    } finally {
      await redis.stop();
    }
  });
});

function logsIn(path: string): readonly string[] {
  return readdirSync(path).map((name) => readFileSync(join(path, name), 'utf8'));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The commands of the text that follows `Ready.`, by their names. */
function printedCommands(output: string): ReadonlyMap<string, string> {
  const text = output.slice(output.indexOf('Ready. Try')).split('\n\n')[1] ?? '';
  const parts = text.split(/^ {2}(?=[a-z]+ {2,})/m).slice(1);
  return new Map(
    parts.map((part) => {
      const [, name = '', command = ''] = /^([a-z]+) +(.*)$/s.exec(part) ?? [];
      return [name, command.replace(/\n\s+then index again.*$/s, '').trim()];
    }),
  );
}

describe('without a redis-server on PATH', () => {
  it('everything runs in one process, which is said in one line, and stops in order', async () => {
    const path = place('path');
    symlinkSync(process.execPath, join(path, 'node'));
    const running = await startCommand({ directory: place('alone'), env: { PATH: path } });
    await running.start();
    try {
      await printed(running);
      expect(running.output().split('\n')).toContain(
        'No redis-server or valkey-server found: everything runs in one process on an in-process bus.',
      );
      expect((await running.ask('/_cluster/health')).body).toMatchObject({ number_of_data_nodes: 3 });
      const { body } = await running.bulk('/books/_bulk', { index: { _id: '1' } }, '{}');
      expect(body).toMatchObject({ errors: false, items: [{ index: { _shards: { successful: 2 } } }] });
    } finally {
      expect(await running.stop('SIGINT')).toBe(0);
    }
  });
});
