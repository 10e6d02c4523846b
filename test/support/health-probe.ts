// Asks a coordinator for its health every 100 ms from a process of its own, so that only the coordinator's delays are measured.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { ownEnvironment } from './running-service.ts';

export type ProbeResult = {
  readonly answers: number;
  readonly failures: number;
  readonly slowestMs: number;
};

const SCRIPT = `
  import { get } from 'node:http';
  import { setTimeout as sleep } from 'node:timers/promises';
  const result = { answers: 0, failures: 0, slowestMs: 0 };
  const ask = () => new Promise((done) => {
    const startMs = performance.now();
    const end = (ok) => {
      if (ok) result.answers += 1; else result.failures += 1;
      result.slowestMs = Math.max(result.slowestMs, performance.now() - startMs);
      done();
    };
    get(process.argv[1] + '/_cluster/health', (response) => {
      response.resume();
      response.on('end', () => end(response.statusCode === 200));
    }).on('error', () => end(false));
  });
  let stopped = false;
  process.stdin.on('end', () => { stopped = true; }).resume();
  while (!stopped) { await ask(); await sleep(100); }
  process.stdout.write(JSON.stringify(result));`;

/** What health requests met while this work ran. */
export async function probeHealthDuring(origin: string, work: () => Promise<unknown>): Promise<ProbeResult> {
  const probe = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT, origin], {
    env: ownEnvironment(),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const said = text(probe.stdout);
  try {
    await work();
  } finally {
    probe.stdin.end();
  }
  return JSON.parse(await said);
}
