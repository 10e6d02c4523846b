// One child process of a command: its output goes to a file, its end is noticed, and it is stopped without being left behind.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { endWithThisCommand } from './last-will.mjs';

const LAST_LINES = 8;
const LAST_LINE_LENGTH = 500;

export class Supervised {
  #child;
  #logStart;

  /** Starts `command`; what it prints is appended to `logPath`. In a process group of its own, so that Ctrl-C reaches only this command. */
  constructor(name, command, args, { env, logPath }) {
    this.name = name;
    this.logPath = logPath;
    const log = openSync(logPath, 'a');
    this.#logStart = statSync(logPath).size;
    this.#child = spawn(command, args, { env, stdio: ['ignore', log, log], detached: true });
    closeSync(log);
    endWithThisCommand(this.#child);
    /** Resolves with a description once the process has ended. */
    this.ended = Promise.race([
      once(this.#child, 'exit').then(([code, signal]) =>
        signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`,
      ),
      once(this.#child, 'error').then(([error]) => `could not be started: ${error.message}`),
    ]);
  }

  get running() {
    return this.#child.exitCode === null && this.#child.signalCode === null && this.#child.pid !== undefined;
  }

  /** The last lines it printed in this run. */
  lastLines() {
    const printed = readFileSync(this.logPath).subarray(this.#logStart).toString('utf8');
    const lines = printed.split('\n').filter((line) => line !== '');
    return lines.slice(-LAST_LINES).map((line) => line.slice(0, LAST_LINE_LENGTH));
  }

  /** Asks it to stop and waits until it has. */
  async stop() {
    if (this.running) this.#child.kill('SIGTERM');
    await this.ended;
  }

  kill() {
    if (this.running) this.#child.kill('SIGKILL');
  }
}
