// Whether someone answers at the URL to load to: a wrong address is told at once instead of being tried for minutes.
import { systemTimers } from '@weir/shared';
import { causeOf } from './cause-of.ts';

const LIMIT_MS = 10_000;

/** Throws one line that says what to do when nobody answers HTTP there; what is answered does not matter. */
export async function findServer(url: string): Promise<void> {
  const abort = new AbortController();
  const cancel = systemTimers.after(LIMIT_MS, () => abort.abort());
  try {
    await (await fetch(url, { signal: abort.signal })).arrayBuffer();
  } catch (error) {
    throw new Error(
      `nobody answers at ${url} (${causeOf(error)}): start a cluster with npm start, or name a running one with --url`,
    );
  } finally {
    cancel();
  }
}
