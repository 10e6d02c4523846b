// A command run to its end, with everything it printed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { ROOT } from './repository.ts';
import { type Ended, ownEnvironment } from './running-service.ts';

export type RunResult = {
  readonly ended: Ended;
  readonly stdout: string;
  readonly stderr: string;
};

export type RunOptions = {
  readonly env?: Readonly<Record<string, string>>;
  /** What it reads from stdin; nothing by default. */
  readonly input?: string | Buffer;
};

/** Runs a program in the repository's root. */
export async function runToEnd(
  [program, ...args]: readonly [string, ...string[]],
  { env = {}, input = '' }: RunOptions = {},
): Promise<RunResult> {
  const child = spawn(program, args, { env: { ...ownEnvironment(), ...env }, cwd: ROOT });
  // A program that does not read what it is given is no failure of the test.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { ended: code ?? signal, stdout, stderr };
}

/** The same for a script that Node runs. */
export function runNode(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  return runToEnd([process.execPath, ...args], options);
}
