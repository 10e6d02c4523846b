// Runs a program to its end with the terminal's own output.
import { spawn } from 'node:child_process';
import { ROOT } from './root.mjs';

/** Resolves with the exit code; a signal counts as 1, and so does a program that is not there. */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', ...options });
    child.once('error', () => resolve(1));
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/** The same for a script that Node runs. */
export function runNode(args, options) {
  return run(process.execPath, args, options);
}
