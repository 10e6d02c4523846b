// Compiles what changed since the last time.
import { inRoot } from './root.mjs';
import { runNode } from './run.mjs';
import { Failure } from './say.mjs';

/** Builds these projects and what they depend on; all of them when none is named. */
export async function build(...projects) {
  const compiler = inRoot('node_modules/typescript/bin/tsc');
  if ((await runNode([compiler, '--build', ...projects])) !== 0)
    throw new Failure('the build failed (see above)');
}
