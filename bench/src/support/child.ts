// One process of a benchmark: started on chosen cores, its output kept for when it fails, and ended by its own id.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';

export type ChildOptions = {
  /** Cores it may run on; all where none are named. */
  readonly cpus?: readonly number[] | undefined;
  readonly env?: Readonly<Record<string, string>>;
  readonly logFile: string;
};

export type Child = {
  readonly pid: number;
  readonly name: string;
  readonly running: () => boolean;
  /** What it printed last, for an error message. */
  readonly lastLines: () => string;
  /** Asks it to end and waits; a process that is killed loses what it has not put on disk. */
  readonly stop: (signal?: 'SIGTERM' | 'SIGKILL') => Promise<void>;
};

const started = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

/** Starts a program; it ends with this process at the latest. */
export function startChild(name: string, command: readonly string[], options: ChildOptions): Child {
  const [program = '', ...args] = [...pinned(options.cpus), ...command];
  const log = openSync(options.logFile, 'a');
  const child = spawn(program, args, { env: cleanEnv(options.env), stdio: ['ignore', log, log] });
  closeSync(log);
  if (child.pid === undefined) throw new Error(`${name} could not be started: is ${program} installed?`);
  started.add(child);
  child.once('exit', () => started.delete(child));
  const running = (): boolean => child.exitCode === null && child.signalCode === null;
  return {
    ...{ pid: child.pid, name, running },
    lastLines: () => readFileSync(options.logFile, 'utf8').split('\n').slice(-6).join('\n'),
    async stop(signal = 'SIGTERM') {
      if (!running()) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
  };
}

/** Runs a Node program to its end and gives back the last line it printed, read as JSON. */
export async function runForJson(
  file: URL,
  args: readonly string[],
  cpus: readonly number[] | undefined,
): Promise<unknown> {
  const [program = '', ...rest] = [...pinned(cpus), process.execPath, file.pathname, ...args];
  const child = spawn(program, rest, { env: cleanEnv(), stdio: ['ignore', 'pipe', 'inherit'] });
  started.add(child);
  const printed: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => printed.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  started.delete(child);
  if (code !== 0) throw new Error(`${file.pathname} ended with ${String(code)}`);
  return JSON.parse(Buffer.concat(printed).toString().trim().split('\n').at(-1) ?? '');
}

function pinned(cpus: readonly number[] | undefined): readonly string[] {
  return cpus === undefined ? [] : ['taskset', '-c', cpus.join(',')];
}

/** No WEIR_ variable of the terminal reaches what is measured. */
function cleanEnv(own: Readonly<Record<string, string>> = {}): Record<string, string> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('WEIR_'));
  return { ...(Object.fromEntries(inherited) as Record<string, string>), ...own };
}
