// Where a program is on PATH.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of the first of these programs that can be run, or undefined. */
export function findProgram(...names) {
  const directories = (process.env.PATH ?? '').split(delimiter).filter((directory) => directory !== '');
  return names
    .flatMap((name) => directories.map((directory) => join(directory, name)))
    .find((path) => isExecutable(path));
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
