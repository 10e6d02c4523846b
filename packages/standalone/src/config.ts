// The configuration of a whole cluster in one process: the coordinator's, and where its data nodes listen.
import { COORDINATOR_OPTIONS, type CoordinatorConfig } from '@weir/coordinator';
import { baseOptions, type Launch, type Loaded, loadConfig, option, PORT } from '@weir/shared';

export type StandaloneConfig = CoordinatorConfig & { readonly datanodePort: number };

/** Reads flags, environment and file; throws one WeirError `config` that names every mistake. */
export function loadStandaloneConfig(launch: Launch): Loaded<StandaloneConfig> {
  return loadConfig(
    {
      program: 'standalone',
      summary: 'runs a coordinator and three data nodes in one process, for a first look and small sites.',
      base: baseOptions({ httpPort: 9200, dataDir: '.weir/data' }),
      own: {
        ...COORDINATOR_OPTIONS,
        datanodePort: option(
          {
            key: 'weir.datanode.port',
            name: 'datanode-port',
            what: 'Port of the first data node; the others take the ones after it.',
          },
          PORT,
          9300,
        ),
      },
    },
    launch,
  );
}
