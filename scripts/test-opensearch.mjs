// `npm run test:opensearch`: the tests that need a real OpenSearch, and nothing else; what is missing for them is a failure here.
import { build } from './lib/build.mjs';
import { install } from './lib/install.mjs';
import { missingForOpenSearch, openSearchClassPath } from './lib/opensearch-jars.mjs';
import { chosenRelease, releaseOf } from './lib/opensearch-releases.mjs';
import { inRoot } from './lib/root.mjs';
import { runNode } from './lib/run.mjs';
import { Failure, main, say } from './lib/say.mjs';

await main(async () => {
  const missing = missingForOpenSearch();
  if (missing.length > 0)
    throw new Failure(`${missing.join(', ')} not found: install a JDK 17 or newer and Maven, then try again`);
  releaseOf(chosenRelease);
  await install();
  await build();
  // Before the tests, whose time is limited.
  await openSearchClassPath(chosenRelease, say);
  const jest = inRoot('node_modules/jest/bin/jest.js');
  process.exitCode = await runNode([jest, 'test/opensearch', '--runInBand', ...process.argv.slice(2)]);
});
