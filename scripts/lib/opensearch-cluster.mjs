// Starts and stops real OpenSearch nodes on loopback, for tests, benchmarks and a first look at Weir in front of one.
import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSearchClassPath } from './opensearch-jars.mjs';
import { chosenRelease, releaseOf } from './opensearch-releases.mjs';

const READY_WITHIN_MS = 120_000;

/**
 * Starts `nodes` nodes named n1, n2, …; n1 alone is cluster manager, so that another node's death never costs the quorum.
 * `httpPort` 0 takes free ports. Resolves once all have joined; rejects with the end of a node's log when one dies.
 */
export async function startOpenSearch({
  release = chosenRelease,
  nodes = 2,
  httpPort = 0,
  dataDirectory,
  heap = '1g',
  settings = {},
  say = () => {},
}) {
  const classPath = await openSearchClassPath(release, say);
  const ports = await choosePorts(nodes, httpPort);
  const start = (port, index) =>
    startNode({ release, index, ports, port, classPath, dataDirectory, heap, settings });
  const started = ports.map(start);
  const origins = ports.map(({ http }) => `http://127.0.0.1:${http}`);
  say(`starting ${nodes} nodes of ${release}`);
  try {
    await waitForNodes(origins[0], nodes, started);
  } catch (failure) {
    await Promise.all(started.map((node) => node.stop()));
    throw failure;
  }
  return {
    origins,
    nodes: started,
    /** Starts node `index` again on its old ports and data. */
    restart(index) {
      started[index] = start(ports[index], index);
      return waitForNodes(origins[0], nodes, started);
    },
    async stop() {
      await Promise.all(started.map((node) => node.stop()));
    },
  };
}

function startNode({ release, index, ports, port, classPath, dataDirectory, heap, settings }) {
  const name = `n${index + 1}`;
  const home = join(dataDirectory, name);
  mkdirSync(home, { recursive: true });
  const { manager, flags } = releaseOf(release);
  const single = ports.length === 1;
  const nodeSettings = {
    'path.home': home,
    'cluster.name': 'weir-opensearch',
    'node.name': name,
    'network.host': '127.0.0.1',
    'http.port': port.http,
    'transport.port': port.transport,
    'http.type': 'netty4',
    'transport.type': 'netty4',
    'node.roles': index === 0 ? `${manager},data,ingest` : 'data,ingest',
    ...(single
      ? { 'discovery.type': 'single-node' }
      : {
          [`cluster.initial_${manager}_nodes`]: 'n1',
          'discovery.seed_hosts': `127.0.0.1:${ports[0].transport}`,
        }),
    ...settings,
  };
  const child = spawn(
    'java',
    [
      `-Xms${heap}`,
      `-Xmx${heap}`,
      '-Dlog4j2.disable.jmx=true',
      ...flags,
      '-cp',
      classPath,
      'WeirOpenSearchNode',
      ...Object.entries(nodeSettings).map(([key, value]) => `${key}=${value}`),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const log = createWriteStream(join(home, 'console.log'), { flags: 'a' });
  let tail = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.pipe(log, { end: false });
    stream.on('data', (chunk) => {
      tail = (tail + chunk).slice(-4000);
    });
  }
  const ended = new Promise((resolve) => child.on('close', resolve));
  return {
    name,
    pid: child.pid,
    ended,
    tail: () => tail,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await ended;
    },
  };
}

async function waitForNodes(origin, count, started) {
  let dead;
  for (const node of started) void node.ended.then(() => (dead = node));
  for (const until = Date.now() + READY_WITHIN_MS; Date.now() < until; await sleep(200)) {
    if (dead !== undefined) throw new Error(`OpenSearch node ${dead.name} ended: ${dead.tail().trim()}`);
    const ready = await fetch(`${origin}/_cluster/health?wait_for_nodes=${count}&timeout=1s`).then(
      (answer) => answer.status === 200,
      () => false,
    );
    if (ready) return;
  }
  throw new Error(`OpenSearch was not ready within ${READY_WITHIN_MS / 1000} s`);
}

async function choosePorts(nodes, httpPort) {
  if (httpPort !== 0)
    return Array.from({ length: nodes }, (_, index) => ({
      http: httpPort + index,
      transport: httpPort + 100 + index,
    }));
  const holders = await Promise.all(Array.from({ length: nodes * 2 }, holdFreePort));
  const free = holders.map((server) => server.address().port);
  await Promise.all(holders.map((server) => new Promise((resolve) => server.close(resolve))));
  return Array.from({ length: nodes }, (_, index) => ({
    http: free[2 * index],
    transport: free[2 * index + 1],
  }));
}

/**
 * A node binds its port seconds after it was chosen: it is none of those that the system gives to outgoing connections
 * (from 32768 on Linux, from 49152 elsewhere).
 */
const PORTS = { first: 15_000, count: 17_000 };

function holdFreePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', (failure) => (failure.code === 'EADDRINUSE' ? attempt() : reject(failure)));
    server.on('listening', () => resolve(server));
    const attempt = () => server.listen(PORTS.first + Math.floor(Math.random() * PORTS.count), '127.0.0.1');
    attempt();
  });
}
