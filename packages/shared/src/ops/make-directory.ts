// Makes a directory and the ones above it, and always comes to an end.
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Like `mkdir -p`. Node's own recursive form never returns where a file system, such as /proc, answers that a parent does not exist. */
export function makeDirectory(path: string): void {
  try {
    makeOne(path);
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error;
    makeDirectory(parent);
    makeOne(path);
  }
}

function makeOne(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(path).isDirectory()) throw error;
  }
}
