// One process of a benchmark: started on chosen cores, its output kept for when it fails, and ended by its own id.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';

export type ChildOptions = {
  /** Cores it may run on; all where none are named. */
  readonly cpus?: readonly number[] | undefined;
  readonly env?: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** It starts processes of its own, and may not be able to end them: a kill ends all of them. */
  readonly withOffspring?: boolean;
};

export type Child = {
  readonly pid: number;
  readonly name: string;
  readonly running: () => boolean;
  /** All it printed so far. */
  readonly printed: () => string;
  /** What it printed last, for an error message. */
  readonly lastLines: () => string;
  /** Asks it to end and waits; a process that is killed loses what it has not put on disk. */
  readonly stop: (signal?: 'SIGTERM' | 'SIGKILL') => Promise<void>;
};

/** What still runs, and how it is killed. */
const started = new Map<ChildProcess, () => void>();
process.on('exit', () => {
  for (const kill of started.values()) kill();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

/** Starts a program; it ends with this process at the latest. */
export function startChild(name: string, command: readonly string[], options: ChildOptions): Child {
  const [program = '', ...args] = [...pinned(options.cpus), ...command];
  const log = openSync(options.logFile, 'a');
  const child = spawn(program, args, {
    ...{ env: cleanEnv(options.env), stdio: ['ignore', log, log] },
    detached: options.withOffspring === true,
  });
  closeSync(log);
  const { pid } = child;
  if (pid === undefined) throw new Error(`${name} could not be started: is ${program} installed?`);
  // A detached process leads a group of its own, which its number with a minus names.
  const kill = (): void => void process.kill(options.withOffspring === true ? -pid : pid, 'SIGKILL');
  started.set(child, kill);
  child.once('exit', () => started.delete(child));
  const running = (): boolean => child.exitCode === null && child.signalCode === null;
  return {
    ...{ pid, name, running },
    printed: () => readFileSync(options.logFile, 'utf8'),
    lastLines: () => readFileSync(options.logFile, 'utf8').split('\n').slice(-6).join('\n'),
    async stop(signal = 'SIGTERM') {
      if (!running()) return;
      const ended = once(child, 'exit');
      if (signal === 'SIGKILL') kill();
      else child.kill(signal);
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
  started.set(child, () => child.kill('SIGKILL'));
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
