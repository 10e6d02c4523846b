#!/usr/bin/env node
// Runs one data node, or the agent of an OpenSearch node, as a process of its own.
import {
  systemClock as clock,
  connectRedisBus,
  letHeapGrow,
  systemRng as rng,
  runService,
  systemTimers as timers,
  WeirError,
} from '@weir/shared';
import { loadDataNodeConfig } from './config.ts';
import { startDataNode } from './data-node.ts';
import { startAgent } from './opensearch/agent.ts';

await runService({
  name: 'datanode',
  load: loadDataNodeConfig,
  start: async (config, { logger }) => {
    const { redisUrl: url, clusterName: cluster } = config;
    if (url === undefined)
      throw new WeirError(
        'config',
        'weir.redis.url is not set: give the Redis that the cluster shares (see --help)',
      );
    const bus = await connectRedisBus({ url, cluster, clock, timers, rng, log: logger });
    try {
      const isAgent = config.engine === 'opensearch';
      if (isAgent) letHeapGrow();
      const node = await (isAgent ? startAgent : startDataNode)({ config, bus, logger });
      return {
        async stop(graceMs) {
          await node.stop(graceMs);
          await bus.close();
        },
      };
    } catch (thrown) {
      await bus.close();
      throw thrown;
    }
  },
});
