// Where the repository is, and a small copy of its layout for checking the tools that guard it.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The repository's root: jest runs there. */
export const ROOT = process.cwd();

export const WORKSPACES = [
  '.',
  'packages/shared',
  'packages/coordinator',
  'packages/datanode',
  'packages/standalone',
  'test',
  'bench',
  'tools',
] as const;

/** A JSON file of the repository. */
export function readJson(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Record<string, unknown>;
}

/** Runs `use` in a directory that holds `files` and copies of `copied`, and removes it again. */
export function inScratchTree<T>(
  files: Readonly<Record<string, string>>,
  copied: readonly string[],
  use: (directory: string) => T,
): T {
  const directory = mkdtempSync(join(tmpdir(), 'weir-tree-'));
  try {
    for (const path of copied) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      cpSync(join(ROOT, path), join(directory, path));
    }
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), content);
    }
    return use(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
