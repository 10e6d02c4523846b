// The configuration both services share: names, addresses, the bus, who is trusted, and timeouts.
import { DURATION_MS, HOST, NAME, oneOf, PATH, PORT, REDIS_URL, SECRET, SWITCH } from './config-kinds.ts';
import { option, optionalOption } from './config-option.ts';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Options of every service; `httpPort` and `dataDir` differ in their defaults. */
export function baseOptions(defaults: { readonly httpPort: number; readonly dataDir: string }) {
  return {
    host: option(
      {
        key: 'weir.http.host',
        name: 'host',
        what: 'Address to listen on; any but loopback needs a cluster secret or --insecure.',
      },
      HOST,
      '127.0.0.1',
    ),
    httpPort: option(
      { key: 'weir.http.port', name: 'http-port', what: 'Port to listen on; 0 takes any free one.' },
      PORT,
      defaults.httpPort,
    ),
    publishHost: optionalOption(
      {
        key: 'weir.http.publish_host',
        name: 'publish-host',
        what: 'Address other nodes reach this one by; by default the host, or the name of the machine when listening on all addresses.',
      },
      HOST,
    ),
    nodeName: optionalOption(
      {
        key: 'weir.node.name',
        name: 'node-name',
        what: 'Name in logs, metrics and views; by default made of the machine and the port.',
      },
      NAME,
    ),
    clusterName: option(
      {
        key: 'weir.cluster.name',
        name: 'cluster-name',
        what: 'Keeps clusters apart that share one Redis.',
      },
      NAME,
      'weir',
    ),
    dataDir: option(
      { key: 'weir.data.path', name: 'data-dir', what: 'Directory of everything kept on disk.' },
      PATH,
      defaults.dataDir,
    ),
    engine: option(
      { key: 'weir.engine', name: 'engine', what: 'What stores the documents.' },
      oneOf(['sqlite', 'opensearch']),
      'sqlite',
    ),
    redisUrl: optionalOption(
      { key: 'weir.redis.url', name: 'redis-url', what: 'Redis that the nodes of a cluster share.' },
      REDIS_URL,
    ),
    clusterSecret: optionalOption(
      {
        key: 'weir.cluster.secret',
        name: 'cluster-secret',
        what: 'Known to all nodes of a cluster; opens internal routes and writes of settings.',
      },
      SECRET,
    ),
    insecure: option(
      {
        key: 'weir.cluster.insecure',
        name: 'insecure',
        what: 'Trust whoever reaches this address: internal routes and writes of settings are open without a secret.',
      },
      SWITCH,
      false,
    ),
    logLevel: option(
      { key: 'weir.log.level', name: 'log-level', what: 'Least level that is logged.' },
      oneOf(LOG_LEVELS),
      'info',
    ),
    clientTimeoutMs: option(
      {
        key: 'weir.timeout.client',
        name: 'timeout-client',
        what: 'A client request as a whole, unless it asks for less.',
      },
      DURATION_MS,
      60_000,
    ),
    coordinatorTimeoutMs: option(
      {
        key: 'weir.timeout.coordinator',
        name: 'timeout-coordinator',
        what: 'A coordinator waits this long for a primary.',
      },
      DURATION_MS,
      55_000,
    ),
    primaryTimeoutMs: option(
      {
        key: 'weir.timeout.primary',
        name: 'timeout-primary',
        what: 'A primary waits this long for its replicas.',
      },
      DURATION_MS,
      50_000,
    ),
    replicaTimeoutMs: option(
      { key: 'weir.timeout.replica', name: 'timeout-replica', what: 'A replica takes this long at most.' },
      DURATION_MS,
      45_000,
    ),
  };
}

export type BaseOptions = ReturnType<typeof baseOptions>;
