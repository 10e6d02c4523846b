// A cluster of processes on this machine: started in order, watched, and stopped in the opposite order.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from './root.mjs';
import { Failure } from './say.mjs';
import { Supervised } from './supervised.mjs';

const READY_LIMIT_MS = 60_000;
const READY_POLL_MS = 50;

export class Cluster {
  logDirectory;
  /** In the order of starting; what is stopped together stands in one group. */
  #groups = [];
  #stopping = false;

  constructor(logDirectory) {
    this.logDirectory = logDirectory;
    mkdirSync(logDirectory, { recursive: true });
  }

  /** Path of a process's log. */
  logPath(name) {
    return join(this.logDirectory, `${name}.log`);
  }

  /** Takes a process that was started elsewhere into the order of stopping. */
  add(process) {
    this.#groups.push([process]);
    if (this.#stopping) process.kill();
  }

  /** Starts services of one kind and resolves once all of them say that they are ready. */
  async start(service, members) {
    if (this.#stopping) throw new Failure(`${service} is not started any more`);
    const main = inRoot('packages', service, 'dist', 'main.js');
    const group = members.map(({ name, env, port }) => {
      const process = new Supervised(name, globalThis.process.execPath, [main], {
        env,
        logPath: this.logPath(name),
      });
      return { process, url: `http://127.0.0.1:${port}/readyz` };
    });
    this.#groups.push(group.map(({ process }) => process));
    await Promise.all(group.map(({ process, url }) => untilReady(process, url)));
  }

  /** Resolves with the first process that ends, and how it ended. */
  async firstEnd() {
    return Promise.race(
      this.#groups.flat().map((process) => process.ended.then((how) => ({ process, how }))),
    );
  }

  /** Stops the youngest group first, each one fully before the next. */
  async stop() {
    this.#stopping = true;
    for (const group of this.#groups.toReversed()) await Promise.all(group.map((process) => process.stop()));
  }

  kill() {
    for (const process of this.#groups.flat()) process.kill();
  }
}

/** What a person is told of a process that ended by itself. */
export function obituary(process, how) {
  const lines = process.lastLines();
  const last = lines.at(-1);
  // A service that cannot start says why in one plain line; everything else it logs as JSON.
  if (last?.startsWith('weir ')) return `${process.name} ${how}: ${last}`;
  const quoted = lines.map((line) => `\n  ${line}`).join('');
  return `${process.name} ${how}; the last lines of ${process.logPath}:${quoted}`;
}

async function untilReady(process, url) {
  const limit = Date.now() + READY_LIMIT_MS;
  while (!(await answersOk(url))) {
    if (!process.running) throw new Failure(obituary(process, await process.ended));
    if (Date.now() > limit)
      throw new Failure(
        `${process.name} is not ready after ${READY_LIMIT_MS / 1000} s: see ${process.logPath} and ${url}?verbose`,
      );
    await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS));
  }
}

async function answersOk(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
