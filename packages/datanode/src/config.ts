// The configuration of a data node, or of the agent that stands in its place beside an OpenSearch node.
import {
  AGENT_OPTIONS,
  type AgentFields,
  type BaseConfig,
  baseOptions,
  type Launch,
  type Loaded,
  loadConfig,
  type Provenance,
} from '@weir/shared';

export type DataNodeConfig = BaseConfig & Provenance;
export type AgentConfig = DataNodeConfig & AgentFields;

/** Reads flags, environment and file; throws one WeirError `config` that names every mistake. */
export function loadDataNodeConfig(launch: Launch): Loaded<AgentConfig> {
  return loadConfig(
    {
      program: 'datanode',
      summary: 'stores shards, or stands beside an OpenSearch node that does; watches, publishes and guards.',
      base: baseOptions({ httpPort: 9300, dataDir: '.weir/datanode' }),
      own: AGENT_OPTIONS,
    },
    launch,
  );
}
