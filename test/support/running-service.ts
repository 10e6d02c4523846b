// A service as a real process: started until it is ready, signalled, stopped, started again, and its log read.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { eventually } from './eventually.ts';

type LogLine = { readonly level: string; readonly msg: string } & Readonly<Record<string, unknown>>;

/** Exit code, or the signal that ended a process. */
export type Ended = number | NodeJS.Signals;

export type ServiceOptions = {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** On top of this process's own environment, of which no WEIR_ variable is passed on. */
  readonly env: Readonly<Record<string, string>>;
  readonly port: number;
  /** Both streams of every run are appended to this file. */
  readonly logPath: string;
  readonly cwd?: string;
  /** In a process group of its own, led by it. */
  readonly ownGroup?: boolean;
  /** Whether it is ready; by default its /readyz says so. */
  readonly isReady?: () => Promise<boolean>;
};

export type RunningService = {
  readonly name: string;
  readonly origin: string;
  readonly port: number;
  readonly pid: number;
  /** Resolves when the process that runs now ends. */
  readonly ended: Promise<Ended>;
  /** Resolves once it is ready; rejects with its last lines when it ends before that. */
  start(): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Signals it and resolves with how it ended; at once where it does not run. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
  /** Everything it wrote. */
  output(): string;
  /** The JSON lines among it. */
  log(): readonly LogLine[];
};

/** A first start may compile, and the machine may be busy. */
const READY_LIMIT_MS = 90_000;
const LAST_BYTES = 4_000;

/** A service that does not run yet. */
export function runningService(options: ServiceOptions): RunningService {
  const { name, command, env, port, logPath, cwd, ownGroup = false } = options;
  const origin = `http://127.0.0.1:${port}`;
  const isReady = options.isReady ?? (() => answersReady(origin));
  let child: ChildProcess | undefined;
  let ended: Promise<Ended> = Promise.resolve(0);
  const runs = (): boolean => child !== undefined && child.exitCode === null && child.signalCode === null;
  const output = (): string => (existsSync(logPath) ? readFileSync(logPath, 'utf8') : '');

  const service: RunningService = {
    ...{ name, origin, port, output },
    get pid() {
      return child?.pid ?? 0;
    },
    get ended() {
      return ended;
    },
    async start() {
      const file = openSync(logPath, 'a');
      const [program, ...args] = command;
      child = spawn(program, args, {
        env: { ...ownEnvironment(), ...env },
        ...{ cwd, detached: ownGroup },
        stdio: ['ignore', file, file],
      });
      closeSync(file);
      ended = once(child, 'exit').then(([code, signal]) => code ?? signal);
      await eventually(async () => !runs() || (await isReady()), READY_LIMIT_MS);
      if (!runs()) throw new Error(`${name} ended with ${await ended}:\n${output().slice(-LAST_BYTES)}`);
    },
    signal: (signal) => void child?.kill(signal),
    async stop(signal = 'SIGTERM') {
      if (runs()) child?.kill(signal);
      return ended;
    },
    log: () =>
      output()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line)),
  };
  return service;
}

/** What a user's terminal would pass on: nothing of the test runner's. */
export function ownEnvironment(): Record<string, string> {
  const passed = Object.entries(process.env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !/^(WEIR_|JEST_|NODE_ENV$|npm_)/.test(entry[0]),
  );
  return Object.fromEntries(passed);
}

async function answersReady(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/readyz`);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
