// A directory of a benchmark's own under the system's temporary one; it goes with the process at the latest, also after Ctrl-C.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type TemporaryDirectory = { readonly path: string; remove(): void };

/** What was killed a moment ago may still write a file. */
const REMOVE = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 } as const;

export function temporaryDirectory(): TemporaryDirectory {
  const path = mkdtempSync(join(tmpdir(), 'weir-bench-'));
  const remove = (): void => rmSync(path, REMOVE);
  process.once('exit', remove);
  return {
    path,
    remove() {
      process.off('exit', remove);
      remove();
    },
  };
}
