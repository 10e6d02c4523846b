// `npm test`: every test, on a bare machine too; what cannot be run is a failure or is said in so many words.
import { build } from './lib/build.mjs';
import { findProgram } from './lib/find-program.mjs';
import { install } from './lib/install.mjs';
import { findRedisServer } from './lib/private-redis.mjs';
import { inRoot } from './lib/root.mjs';
import { run, runNode } from './lib/run.mjs';
import { Failure, main, say } from './lib/say.mjs';

await main(async () => {
  await install();
  await build();
  await getRedis();
  say('Running every test; none is left out.');
  process.exitCode = await runNode([inRoot('node_modules/jest/bin/jest.js'), ...process.argv.slice(2)]);
});

/** The tests run against a real Redis: installed where this user may, asked for where not. */
async function getRedis() {
  if (findRedisServer() !== undefined) return;
  if (process.getuid?.() !== 0 || findProgram('apt-get') === undefined)
    throw new Failure(
      'redis-server (or valkey-server) is missing on PATH and the tests need it: install it (Debian: apt-get install redis-server, macOS: brew install redis) and try again',
    );
  say('Installing redis-server with apt-get …');
  // At run level 1 the package's own service is not started.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const quiet = { env, stdio: ['ignore', 'ignore', 'inherit'] };
  const installed =
    (await run('apt-get', ['update'], quiet)) === 0 &&
    (await run('apt-get', ['install', '--yes', '--no-install-recommends', 'redis-server'], quiet)) === 0;
  if (!installed || findRedisServer() === undefined)
    throw new Failure('apt-get could not install redis-server (see above): install it and try again');
}
