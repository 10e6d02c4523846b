// The environment of one service of a cluster that runs on this machine.

/** Everything a service is told stands here; no other WEIR_ variable of the terminal reaches it. */
export function serviceEnvironment({ config, redisUrl, settingsFile }, { name, host, port, dataDir }) {
  const inherited = Object.entries(process.env).filter(([variable]) => !variable.startsWith('WEIR_'));
  const { access, timeouts } = config;
  const own = {
    WEIR_CONFIG: settingsFile,
    WEIR_HOST: host,
    WEIR_HTTP_PORT: port,
    WEIR_DATA_DIR: dataDir,
    WEIR_NODE_NAME: name,
    WEIR_CLUSTER_NAME: config.clusterName,
    WEIR_REDIS_URL: redisUrl,
    WEIR_CLUSTER_SECRET: access.secret,
    WEIR_INSECURE: access.insecure,
    WEIR_LOG_LEVEL: config.logLevel,
    WEIR_TIMEOUT_CLIENT: `${timeouts.clientMs}ms`,
    WEIR_TIMEOUT_COORDINATOR: `${timeouts.coordinatorMs}ms`,
    WEIR_TIMEOUT_PRIMARY: `${timeouts.primaryMs}ms`,
    WEIR_TIMEOUT_REPLICA: `${timeouts.replicaMs}ms`,
  };
  const given = Object.entries(own).filter(([, value]) => value !== undefined);
  return Object.fromEntries([...inherited, ...given.map(([variable, value]) => [variable, String(value)])]);
}
