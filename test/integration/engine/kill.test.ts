// What is left of an engine whose process was killed? Every document it acknowledged.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openDataDirectory, sqliteEngine } from '@weir/datanode';
import { systemClock, systemRng, systemTimers } from '@weir/shared';
import { eventually } from '../../support/eventually.ts';
import { ROOT } from '../../support/repository.ts';
import { COPY, METADATA } from '../../support/shard-requests.ts';

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'weir-kill-'));
});
afterEach(() => rmSync(path, { recursive: true, force: true }));

type Writer = { readonly process: ChildProcess; readonly acknowledged: () => readonly string[] };

function startWriter(prefix: string): Writer {
  const script = join(ROOT, 'test/dist/support/engine-writer.js');
  const child = spawn(process.execPath, [script, path, prefix], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  // What follows the last line end was cut off by the kill.
  return { process: child, acknowledged: () => text.split('\n').slice(0, -1) };
}

async function kill(writer: Writer): Promise<void> {
  const closed = once(writer.process, 'close');
  writer.process.kill('SIGKILL');
  await closed;
}

describe('an engine that is killed', () => {
  it('keeps every acknowledged document, and its directory is free at once', async () => {
    const acknowledged: string[] = [];
    for (let round = 0; round < 4; round++) {
      const writer = startWriter(`r${round}`);
      await eventually(() => writer.acknowledged().length > 200 + 150 * round, 20_000);
      expect(() => openDataDirectory(path, systemRng)).toThrow('is in use by another process');
      await kill(writer);
      acknowledged.push(...writer.acknowledged());
      const directory = openDataDirectory(path, systemRng);
      const engine = await sqliteEngine({ directory, clock: systemClock, timers: systemTimers });
      await engine.openCopy(COPY, METADATA);
      const documents = await engine.get(COPY, acknowledged);
      expect(documents.map((document) => document?.source.toString())).toEqual(
        acknowledged.map((id) => JSON.stringify({ id })),
      );
      await engine.close();
      directory.release();
    }
    expect(acknowledged.length).toBeGreaterThan(1_000);
  }, 120_000);
});
