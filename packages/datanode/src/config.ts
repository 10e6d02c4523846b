// The configuration of a data node.
import {
  type BaseConfig,
  baseOptions,
  type Launch,
  type Loaded,
  loadConfig,
  type Provenance,
} from '@weir/shared';

export type DataNodeConfig = BaseConfig & Provenance;

/** Reads flags, environment and file; throws one WeirError `config` that names every mistake. */
export function loadDataNodeConfig(launch: Launch): Loaded<DataNodeConfig> {
  return loadConfig(
    {
      program: 'datanode',
      summary: 'stores shards, watches itself, publishes what it sees and guards itself.',
      base: baseOptions({ httpPort: 9300, dataDir: '.weir/datanode' }),
      own: {},
    },
    launch,
  );
}
