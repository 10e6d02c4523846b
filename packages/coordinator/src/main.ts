#!/usr/bin/env node
// Runs one coordinator as a process of its own.
import {
  systemClock as clock,
  connectRedisBus,
  letHeapGrow,
  systemRng as rng,
  runService,
  systemTimers as timers,
  WeirError,
} from '@weir/shared';
import { loadCoordinatorConfig } from './config.ts';
import { startCoordinator } from './coordinator.ts';

letHeapGrow();
await runService({
  name: 'coordinator',
  load: loadCoordinatorConfig,
  start: async (config, { logger }) => {
    const { redisUrl: url, clusterName: cluster } = config;
    if (url === undefined)
      throw new WeirError(
        'config',
        'weir.redis.url is not set: give the Redis that the cluster shares (see --help)',
      );
    const bus = await connectRedisBus({ url, cluster, clock, timers, rng, log: logger });
    try {
      const coordinator = await startCoordinator({ config, bus, logger });
      return {
        async stop(graceMs) {
          await coordinator.stop(graceMs);
          await bus.close();
        },
      };
    } catch (thrown) {
      await bus.close();
      throw thrown;
    }
  },
});
