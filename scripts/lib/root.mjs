// Where the repository is.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A path inside the repository. */
export function inRoot(...parts) {
  return join(ROOT, ...parts);
}
