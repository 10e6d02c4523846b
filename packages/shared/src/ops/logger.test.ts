import { spawnSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { delay, systemTimers } from './clock.ts';
import { WeirError } from './errors.ts';
import { openLog, type ServiceLog } from './logger.ts';
import { WEIR_VERSION } from './version.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'weir-log-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** What `write` logs, parsed, and the raw text. */
async function logged(write: (log: ServiceLog) => void, level = 'info') {
  const path = join(directory, 'log');
  const fd = openSync(path, 'w');
  const log = openLog({ service: 'datanode', node: 'dn1', level, fd });
  write(log);
  await log.close(1_000);
  closeSync(fd);
  const raw = readFileSync(path, 'utf8');
  const lines = raw.split('\n').filter((line) => line !== '');
  return { raw, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe('the log', () => {
  it('writes one JSON object a line with service, node, version, level, time and message', async () => {
    const { lines } = await logged(({ logger }) => logger.warn({ index: 'a' }, 'shard request refused'));
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'warn',
        service: 'datanode',
        instance: 'dn1',
        version: WEIR_VERSION,
        index: 'a',
        msg: 'shard request refused',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      }),
    ]);
  });

  it('leaves out what is below its level', async () => {
    const { lines } = await logged(({ logger }) => {
      logger.info('no');
      logger.error('yes');
    }, 'warn');
    expect(lines.map(({ msg }) => msg)).toEqual(['yes']);
  });

  it('never writes credentials, wherever a request carries them', async () => {
    const { raw } = await logged(({ logger }) => {
      const headers = { authorization: 'Basic hidden', 'x-weir-cluster-secret': 'hidden', accept: 'shown' };
      logger.info({ headers, authorization: 'hidden', req: { headers }, access: { secret: 'hidden' } });
      logger.info({ redis_url: 'redis://me:hidden@127.0.0.1/1' });
      logger.error({ err: new WeirError('unavailable', 'no answer from redis://me:hidden@127.0.0.1') }, 'x');
      logger.error(new Error('no answer from redis://me:hidden@127.0.0.1'));
    });
    expect(raw).not.toContain('hidden');
    expect(raw).toContain('shown');
    expect(raw.match(/redis:\/\/\*\*\*@127/g)?.length).toBeGreaterThanOrEqual(3);
  });

  it('writes control characters of every kind escaped, in keys, values and messages', async () => {
    const nasty = 'a\n\u0000\u001b[31m\u007f\u009b2J\u2028\u2029z';
    const { raw, lines } = await logged(({ logger }) => {
      logger.info({ index: nasty, [nasty]: 1 }, nasty);
      logger.info(nasty);
    });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
    expect(raw.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({ index: nasty, msg: nasty });
  });

  it('C138: writes lines of several bytes a character whole and in order', async () => {
    const text = '索引😀é'.repeat(50);
    const { lines } = await logged(({ logger }) => {
      for (let n = 0; n < 500; n += 1) logger.info({ n, text });
    });
    expect(lines.map(({ n }) => n)).toEqual(Array.from({ length: 500 }, (_, n) => n));
    expect(lines.every((line) => line['text'] === text)).toBe(true);
  });

  it('C135: drops and counts lines nobody reads, and says how many once they are read', async () => {
    const path = join(directory, 'pipe');
    spawnSync('mkfifo', [path]);
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    const log = openLog({ service: 'datanode', node: 'dn1', level: 'info', fd });
    const before = process.memoryUsage().rss;
    for (let n = 0; n < 200_000; n += 1) log.logger.warn({ n, reason: 'primary_stressed' }, 'refused');
    expect(log.droppedLines()).toBeGreaterThan(100_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);

    let text = '';
    const chunk = Buffer.alloc(65_536);
    for (let tries = 0; tries < 200 && !text.includes('"log lines dropped"}\n'); tries += 1) {
      try {
        text += chunk.toString('utf8', 0, readSync(reader, chunk));
      } catch {
        await delay(systemTimers, 20);
      }
    }
    const report = text.split('\n').find((line) => line.includes('log lines dropped')) ?? '{}';
    expect(JSON.parse(report)).toMatchObject({
      level: 'warn',
      dropped_lines: log.droppedLines(),
      dropped_lines_total: log.droppedLines(),
    });
    await log.close(100);
    closeSync(reader);
  });

  it('waits no longer than it may for a reader who never comes', async () => {
    const path = join(directory, 'pipe');
    spawnSync('mkfifo', [path]);
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    const log = openLog({ service: 'datanode', node: 'dn1', level: 'info', fd });
    for (let n = 0; n < 10_000; n += 1) log.logger.warn({ n }, 'refused');
    await log.close(50);
    log.logger.warn('after the end');
    closeSync(reader);
  });
});
