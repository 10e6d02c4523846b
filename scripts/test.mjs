// `npm test`: every test, on a bare machine too; what cannot be run is a failure or is said in so many words.
import { build } from './lib/build.mjs';
import { findProgram } from './lib/find-program.mjs';
import { install } from './lib/install.mjs';
import { missingForOpenSearch, openSearchClassPath } from './lib/opensearch-jars.mjs';
import { chosenRelease } from './lib/opensearch-releases.mjs';
import { findRedisServer } from './lib/private-redis.mjs';
import { inRoot } from './lib/root.mjs';
import { run, runNode } from './lib/run.mjs';
import { Failure, main, say } from './lib/say.mjs';

/** Programs that the tests run, with the Debian package of each. */
const NEEDED = [
  { name: 'redis-server', alternative: ' (or valkey-server)', found: () => findRedisServer() !== undefined },
  { name: 'openssl', alternative: '', found: () => findProgram('openssl') !== undefined },
];

await main(async () => {
  await install();
  await build();
  for (const program of NEEDED) await get(program);
  const missing = missingForOpenSearch();
  say(
    missing.length === 0
      ? 'Running every test; none is left out.'
      : `Running every test but those on a real OpenSearch (test/opensearch), LEFT OUT for want of ${missing.join(', ')}: install a JDK 17 or newer and Maven to run them.`,
  );
  // Before the tests, whose time is limited and several of which would fetch it at once.
  if (missing.length === 0) await openSearchClassPath(chosenRelease, say);
  process.exitCode = await runNode([inRoot('node_modules/jest/bin/jest.js'), ...process.argv.slice(2)]);
});

/** Installed where this user may, asked for where not. */
async function get({ name, alternative, found }) {
  if (found()) return;
  if (process.getuid?.() !== 0 || findProgram('apt-get') === undefined)
    throw new Failure(
      `${name}${alternative} is missing on PATH and the tests need it: install it (Debian: apt-get install ${name}, macOS: brew install ${name.replace('-server', '')}) and try again`,
    );
  say(`Installing ${name} with apt-get …`);
  // At run level 1 the package's own service is not started.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const quiet = { env, stdio: ['ignore', 'ignore', 'inherit'] };
  const installed =
    (await run('apt-get', ['update'], quiet)) === 0 &&
    (await run('apt-get', ['install', '--yes', '--no-install-recommends', name], quiet)) === 0;
  if (!installed || !found())
    throw new Failure(`apt-get could not install ${name} (see above): install it and try again`);
}
