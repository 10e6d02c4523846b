// Sees to it that children end though this command is killed and cannot stop them: a process beside it notices.
import { spawn } from 'node:child_process';
import { inRoot } from './root.mjs';

let executor;

/** From now on `child`, which was just started, is asked to stop when this command is gone. */
export function endWithThisCommand(child) {
  if (child.pid === undefined) return;
  executor ??= startExecutor();
  executor.write(`+${child.pid}\n`);
  child.once('exit', () => executor.write(`-${child.pid}\n`));
}

/** In a process group of its own: what kills the group of this command does not reach it. */
function startExecutor() {
  const program = inRoot('scripts', 'lib', 'end-orphans.mjs');
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  // Where it cannot run, a kill leaves children behind; that is no reason to end them now.
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  // This command ends when it is done, and with it the pipe.
  child.unref();
  child.stdin.unref();
  return child.stdin;
}
