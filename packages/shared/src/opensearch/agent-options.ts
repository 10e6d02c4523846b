// What only the agent beside one node of an OpenSearch cluster has to know, as configuration options.
import type { z } from 'zod';
import { PATH } from '../ops/config-kinds.ts';
import { optionalOption } from '../ops/config-option.ts';
import { OPENSEARCH_OPTIONS } from './connection-options.ts';

/** Options of an agent alone. */
export const AGENT_ONLY_OPTIONS = {
  openSearchDataPath: optionalOption(
    {
      key: 'weir.opensearch.data_path',
      name: 'opensearch-data-path',
      what: 'Where the OpenSearch node keeps its data, on the same machine: its disk is then watched here. By default io and free space are what the node tells.',
    },
    PATH,
  ),
};

/** Options of an agent beside those of every service. */
export const AGENT_OPTIONS = { ...OPENSEARCH_OPTIONS, ...AGENT_ONLY_OPTIONS };

export type AgentFields = z.infer<z.ZodObject<typeof AGENT_OPTIONS>>;
