// Whether a service outlives whoever reads its log: a reader who stops reading, and one who goes away.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { delay, systemClock, systemTimers } from '@weir/shared';
import { eventually } from '../../support/eventually.ts';
import { ROOT } from '../../support/repository.ts';

/** A service that logs 5,000 refusals a second and says on stderr how many milliseconds its loop was late at most. */
const SERVICE = `
import { baseOptions, loadConfig, runService } from '${pathToFileURL(join(ROOT, 'packages/shared/dist/index.js'))}';
await runService({
  name: 'probe',
  load: (launch) => loadConfig({ program: 'probe', summary: '', base: baseOptions({ httpPort: 0, dataDir: '' }), own: {} }, launch),
  start: async (_config, { logger, droppedLogLines }) => {
    let lateMs = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      lateMs = Math.max(lateMs, performance.now() - last - 20);
      last = performance.now();
      for (let n = 0; n < 100; n += 1) logger.warn({ reason: 'primary_stressed', index: 'an-index-with-a-name' }, 'shard request refused');
    }, 20);
    return { stop: async () => { clearInterval(timer); console.error(JSON.stringify({ lateMs, dropped: droppedLogLines() })); } };
  },
});
`;

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

function start() {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', SERVICE], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  const said = { err: '' };
  child.stderr.on('data', (chunk: Buffer) => {
    said.err += chunk.toString('utf8');
  });
  const end = async () => {
    const fromMs = systemClock.nowMs();
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number | null];
    return { code, tookMs: systemClock.nowMs() - fromMs };
  };
  return { child, said, end };
}

function residentMb(child: ChildProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

describe('a service whose log nobody reads', () => {
  it('C135: keeps its memory, its event loop and its orderly stop', async () => {
    const { child, said, end } = start();
    // Node reads a pipe only once somebody listens.
    await delay(systemTimers, 2_000);
    const early = residentMb(child);
    await delay(systemTimers, 5_000);
    expect(residentMb(child) - early).toBeLessThan(50);
    const { code, tookMs } = await end();
    expect(code).toBe(0);
    expect(tookMs).toBeLessThan(5_000);
    const { lateMs, dropped } = JSON.parse(said.err) as { lateMs: number; dropped: number };
    expect(dropped).toBeGreaterThan(1_000);
    expect(lateMs).toBeLessThan(1_000);
  }, 30_000);

  it('C135: says how many lines were dropped once somebody reads', async () => {
    const { child, end } = start();
    await delay(systemTimers, 3_000);
    let out = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      out += chunk.toString('utf8');
    });
    await eventually(() =>
      /"dropped_lines":\d+,"dropped_lines_total":\d+,"msg":"log lines dropped"/.test(out),
    );
    expect((await end()).code).toBe(0);
  }, 30_000);

  it('C137: goes on with its log on stderr when the reader is gone, and says so', async () => {
    const { child, said, end } = start();
    await once(child.stdout ?? child, 'readable');
    child.stdout?.destroy();
    await eventually(() =>
      /"code":"EPIPE","msg":"log destination failed, lines go to stderr".*"msg":"shard request refused"/s.test(
        said.err,
      ),
    );
    expect((await end()).code).toBe(0);
  }, 30_000);
});
