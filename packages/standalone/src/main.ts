#!/usr/bin/env node
// Runs a coordinator and three data nodes in one process on an in-process bus.
import { runService } from '@weir/shared';
import { loadStandaloneConfig } from './config.ts';
import { startStandalone } from './standalone.ts';

await runService({
  name: 'standalone',
  load: loadStandaloneConfig,
  start: (config, { logger }) => startStandalone(config, logger),
});
