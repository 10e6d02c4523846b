// The configuration of a coordinator.
import {
  type BaseConfig,
  baseOptions,
  type Launch,
  type Loaded,
  loadConfig,
  type Provenance,
} from '@weir/shared';

export type CoordinatorConfig = BaseConfig & Provenance;

/** Reads flags, environment and file; throws one WeirError `config` that names every mistake. */
export function loadCoordinatorConfig(launch: Launch): Loaded<CoordinatorConfig> {
  return loadConfig(
    {
      program: 'coordinator',
      summary: 'takes bulks, decides per shard request, and forwards what it admits to the data nodes.',
      base: baseOptions({ httpPort: 9200, dataDir: '.weir/coordinator' }),
      own: {},
    },
    launch,
  );
}
