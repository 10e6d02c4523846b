// `npm start`: a whole cluster on this machine, from a fresh checkout to the first request.
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from './lib/build.mjs';
import { Cluster, obituary } from './lib/cluster.mjs';
import { install } from './lib/install.mjs';
import { anyFreePort, freePortRange, portProblem } from './lib/ports.mjs';
import { findRedisServer, startPrivateRedis } from './lib/private-redis.mjs';
import { redisProblem } from './lib/redis-ping.mjs';
import { Failure, main, say } from './lib/say.mjs';
import { commonVariables, serviceEnvironment } from './lib/service-environment.mjs';
import { whatNext } from './lib/what-next.mjs';

const DATA_NODES = ['dn1', 'dn2', 'dn3'];
const LOOPBACK = '127.0.0.1';
/** npm hands a terminal's Ctrl-C on once more: a signal this soon after the first is the same one. */
const SAME_SIGNAL_MS = 1_000;
const PARENT_POLL_MS = 500;

class Interrupted extends Error {}

async function start() {
  const signal = firstSignal();
  await install();
  await build('packages/standalone', 'tools');
  const loaded = await configuration();
  if (loaded === undefined) return;
  const { config } = loaded;
  const dataDirectory = await usableDirectory(config.dataDir);
  const ports = await choosePorts(config);
  await checkUnused(dataDirectory);
  const runDirectory = mkdtempSync(join(tmpdir(), 'weir-'));
  const cluster = new Cluster(join(dataDirectory, 'logs'));
  signal.onSecond = () => cluster.kill();
  // Whatever ends this command, no process is left behind.
  process.on('exit', () => cluster.kill());
  try {
    await Promise.race([
      startAll(cluster, loaded, { dataDirectory, runDirectory, ...ports }),
      signal.first.then(() => Promise.reject(new Interrupted())),
    ]);
    const secret = config.access.secret !== undefined;
    say(whatNext({ port: ports.httpPort, secret, dataDirectory, logDirectory: cluster.logDirectory }));
    const ended = await Promise.race([signal.first, cluster.firstEnd()]);
    if (ended !== undefined)
      throw new Failure(`${obituary(ended.process, ended.how)}\nEverything else is stopped.`);
    throw new Interrupted();
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    say('Stopping in order …');
  } finally {
    await cluster.stop();
    rmSync(runDirectory, { recursive: true, force: true });
  }
  say('Stopped.');
}

/** Resolves `first` at the first signal; `onSecond` runs at a later one. */
function firstSignal() {
  const signal = { first: undefined, onSecond: () => process.exit(1) };
  let firstAt;
  signal.first = new Promise((done) => {
    const onSignal = () => {
      firstAt ??= Date.now();
      done();
      if (Date.now() - firstAt > SAME_SIGNAL_MS) signal.onSecond();
    };
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, onSignal);
    if (process.env.npm_lifecycle_event !== undefined) onParentGone(onSignal);
  });
  return signal;
}

/** A signal to npm ends npm and the shell between, and never reaches this command. */
function onParentGone(then) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    then();
  }, PARENT_POLL_MS);
  timer.unref();
}

/** Read by the services' own schema, so that flags, environment, file and mistakes are the same everywhere. */
async function configuration() {
  const { loadStandaloneConfig } = await import('../packages/standalone/dist/config.js');
  let loaded;
  try {
    loaded = loadStandaloneConfig({ argv: process.argv.slice(2), env: process.env });
  } catch (error) {
    if (error.code === 'config') throw new Failure(error.message);
    throw error;
  }
  if (loaded.kind === 'run') return loaded;
  process.stdout.write(loaded.text);
  return undefined;
}

async function usableDirectory(path) {
  const { makeDirectory } = await import('../packages/shared/dist/ops/make-directory.js');
  const directory = resolve(path);
  try {
    makeDirectory(directory);
    accessSync(directory, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Failure(
      `${directory} cannot be written to (${error.code}): make it a directory this user may write to or choose another with --data-dir (WEIR_DATA_DIR)`,
    );
  }
  return directory;
}

/** Told before a log is opened: what holds the directory is writing to the same ones. */
async function checkUnused(dataDirectory) {
  const { checkDataDirectory } = await import('../packages/datanode/dist/engine/data-directory.js');
  try {
    for (const name of DATA_NODES) checkDataDirectory(join(dataDirectory, name));
  } catch (error) {
    if (error.code === 'config') throw new Failure(error.message);
    throw error;
  }
}

/** The coordinator's port is the one asked for. Data nodes are found through the bus, so theirs move on where the usual ones are taken. */
async function choosePorts({ host, httpPort, datanodePort }) {
  const problem = await portProblem(host, httpPort);
  if (problem !== undefined)
    throw new Failure(
      `port ${httpPort} on ${host} cannot be used (${problem}): stop what listens there or choose another with --http-port (WEIR_HTTP_PORT)`,
    );
  const first = datanodePort === 0 ? await anyFreePort(LOOPBACK) : datanodePort;
  const free = await freePortRange(LOOPBACK, first, DATA_NODES.length, httpPort);
  if (free === undefined) throw new Failure(`no ${DATA_NODES.length} free ports from ${first} upwards`);
  if (free !== first) say(`Port ${first} or one of the next is taken: data nodes listen from ${free}.`);
  return { httpPort: httpPort === 0 ? await anyFreePort(host) : httpPort, datanodePort: free };
}

async function startAll(cluster, { config, variables }, places) {
  const redisUrl = await findRedis(cluster, config.redisUrl, places.runDirectory);
  const common = {
    WEIR_REDIS_URL: redisUrl,
    WEIR_CONFIG: writeSettings(config.fileSettings, places.runDirectory),
    WEIR_DATANODE_PORT: undefined,
  };
  const { httpPort, datanodePort, dataDirectory } = places;
  if (redisUrl === undefined) {
    say('No redis-server or valkey-server found: everything runs in one process on an in-process bus.');
    const env = serviceEnvironment(variables, {
      ...common,
      WEIR_HTTP_PORT: httpPort,
      WEIR_DATANODE_PORT: datanodePort,
      WEIR_DATA_DIR: dataDirectory,
    });
    await cluster.start('standalone', [{ name: 'standalone', port: httpPort, env }]);
    return;
  }
  say(`Starting ${DATA_NODES.length} data nodes from port ${datanodePort} …`);
  const known = await commonVariables(variables);
  const dataNodes = DATA_NODES.map((name, position) => {
    const port = datanodePort + position;
    const place = { WEIR_HTTP_PORT: port, WEIR_NODE_NAME: name, WEIR_DATA_DIR: join(dataDirectory, name) };
    // Only the coordinator is for others: data nodes stay on loopback, whatever address was asked for.
    const reach = { WEIR_HOST: LOOPBACK, WEIR_PUBLISH_HOST: undefined };
    return { name, port, env: serviceEnvironment(known, { ...common, ...place, ...reach }) };
  });
  await cluster.start('datanode', dataNodes);
  say(`Starting the coordinator on ${config.host}:${httpPort} …`);
  const env = serviceEnvironment(variables, {
    ...common,
    WEIR_HTTP_PORT: httpPort,
    WEIR_NODE_NAME: variables.WEIR_NODE_NAME ?? 'coordinator',
    WEIR_DATA_DIR: join(dataDirectory, 'coordinator'),
  });
  await cluster.start('coordinator', [{ name: 'coordinator', port: httpPort, env }]);
}

/** The URL of the Redis to use, or undefined where there is none on this machine. */
async function findRedis(cluster, url, runDirectory) {
  if (url !== undefined) {
    const problem = await redisProblem(url);
    if (problem === undefined) return url;
    throw new Failure(
      `Redis at WEIR_REDIS_URL does not answer (${problem}): start it, mend the URL, or leave it out for a private one`,
    );
  }
  const program = findRedisServer();
  if (program === undefined) return undefined;
  const started = await startPrivateRedis(program, runDirectory, cluster.logPath('redis'));
  cluster.add(started.redis);
  return started.url;
}

/** Dynamic settings of the configuration file, handed to the services as a file of their own. */
function writeSettings(settings, runDirectory) {
  if (Object.keys(settings).length === 0) return undefined;
  const path = join(runDirectory, 'settings.json');
  writeFileSync(path, JSON.stringify(settings));
  return path;
}

await main(start);
