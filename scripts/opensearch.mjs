// `npm run opensearch`: two real OpenSearch nodes on loopback until Ctrl-C, to put Weir in front of.
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startOpenSearch } from './lib/opensearch-cluster.mjs';
import { missingForOpenSearch } from './lib/opensearch-jars.mjs';
import { chosenRelease, releaseOf } from './lib/opensearch-releases.mjs';

const { values } = parseArgs({
  options: {
    release: { type: 'string', default: chosenRelease },
    nodes: { type: 'string', default: '2' },
    port: { type: 'string', default: '9600' },
    heap: { type: 'string', default: '1g' },
    data: { type: 'string' },
    setting: { type: 'string', multiple: true, default: [] },
    json: { type: 'boolean', default: false },
  },
});

const missing = missingForOpenSearch();
if (missing.length > 0) {
  console.error(
    `OpenSearch needs ${missing.join(', ')}: install a JDK 17 or newer and Maven, then try again.`,
  );
  process.exit(1);
}
const say = (line) => console.error(`opensearch: ${line}`);
const settings = Object.fromEntries(
  values.setting.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
);

try {
  releaseOf(values.release);
  const dataDirectory = resolve(values.data ?? `.weir/opensearch-${values.release}`);
  mkdirSync(dataDirectory, { recursive: true });
  const cluster = await startOpenSearch({
    release: values.release,
    nodes: Number(values.nodes),
    httpPort: Number(values.port),
    dataDirectory,
    heap: values.heap,
    settings,
    say,
  });
  const stop = async () => {
    say('stopping');
    await cluster.stop();
    process.exit(0);
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  // A parent with a channel, such as a test, stops nodes and starts them again on their ports and data: { stop: 1 }, { start: 1 }.
  process.on('message', async ({ stop: stopped, start }) => {
    try {
      if (stopped !== undefined) await cluster.nodes[stopped].stop();
      else await cluster.restart(start);
      process.send({ done: true });
    } catch (failure) {
      process.send({ failed: failure.message });
    }
  });
  process.once('disconnect', stop);
  if (values.json)
    console.log(JSON.stringify({ origins: cluster.origins, pids: cluster.nodes.map((node) => node.pid) }));
  else say(`ready: ${cluster.origins.join(' ')} (Ctrl-C stops)`);
} catch (failure) {
  console.error(`opensearch: ${failure.message}`);
  process.exit(1);
}
