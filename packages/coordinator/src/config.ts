// The configuration of a coordinator.
import {
  type BaseConfig,
  baseOptions,
  type Launch,
  type Loaded,
  loadConfig,
  OPENSEARCH_OPTIONS,
  type OpenSearchFields,
  option,
  type Provenance,
  SWITCH,
} from '@weir/shared';

/** Options that a coordinator has beside those of every service. */
export const COORDINATOR_OPTIONS = {
  ...OPENSEARCH_OPTIONS,
  elasticCompat: option(
    {
      key: 'weir.http.elastic_compat',
      name: 'elastic-compat',
      what: "Pass for an Elasticsearch 7.17 with Elastic's own clients: product header on every answer, version in GET /.",
    },
    SWITCH,
    false,
  ),
};

export type CoordinatorConfig = BaseConfig &
  Provenance &
  OpenSearchFields & { readonly elasticCompat: boolean };

/** Reads flags, environment and file; throws one WeirError `config` that names every mistake. */
export function loadCoordinatorConfig(launch: Launch): Loaded<CoordinatorConfig> {
  return loadConfig(
    {
      program: 'coordinator',
      summary: 'takes bulks, decides per shard request, and forwards what it admits to the data nodes.',
      base: baseOptions({ httpPort: 9200, dataDir: '.weir/coordinator' }),
      own: COORDINATOR_OPTIONS,
    },
    launch,
  );
}
