// docs/settings.md: every dynamic setting and every option that is fixed at start, from their schemas.
import { COORDINATOR_OPTIONS } from '@weir/coordinator';
import {
  AGENT_ONLY_OPTIONS,
  baseOptions,
  factsOf,
  flagOf,
  OPENSEARCH_OPTIONS,
  type Options,
  SETTINGS,
  type Setting,
  variableOf,
} from '@weir/shared';
import { code, page, table } from './markdown.ts';

export function settingsPage(): string {
  const dynamic = [...SETTINGS].filter(([, setting]) => setting.dynamic);
  return page(
    'Settings',
    '## Dynamic settings',
    `Read and written while the cluster runs, through \`GET/PUT /_cluster/settings\` or \`GET/PUT /_weir/settings\`; every node applies a change within 200 ms,
or within 2 s where the message is lost. Transient values win over persistent ones, these over the configuration file, and that over the default.
Checked together: soft ≤ hard, replica limits ≥ primary limits, \`weir.admission.stats_ttl\` ≥ 2 × \`weir.stats.interval\`.`,
    table(['key', 'default', 'allowed', 'meaning'], dynamic.map(settingRow)),
    '## Fixed at start',
    `Given by flag, environment variable or key of the configuration file (\`--config\`, \`WEIR_CONFIG\`), in this order of precedence. A change through the settings
API is refused by name.`,
    optionsTable(baseOptions({ httpPort: 9200, dataDir: '.weir/coordinator' })),
    '### Of coordinators and agents, with engine opensearch',
    optionsTable(OPENSEARCH_OPTIONS),
    '### Of a coordinator alone',
    optionsTable(without(COORDINATOR_OPTIONS, OPENSEARCH_OPTIONS)),
    '### Of an agent alone',
    optionsTable(AGENT_ONLY_OPTIONS),
    'A data node, or an agent in its place, listens on 9300 and keeps its data in `.weir/datanode` unless told otherwise.',
  );
}

function settingRow([key, setting]: readonly [string, Setting]): readonly string[] {
  const unit = setting.unit === undefined ? '' : `, ${setting.unit}`;
  return [code(key), code(setting.default), `${setting.allowed}${unit}`, setting.description];
}

function without(options: Options, left: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !(name in left)));
}

function optionsTable(options: Options): string {
  const rows = Object.values(options).map((schema) => {
    const facts = factsOf(schema);
    const fallback: unknown = schema.safeParse(undefined).data;
    return [
      code(facts.key),
      code(flagOf(facts) ?? ''),
      code(variableOf(facts)),
      fallback === undefined ? '' : code(String(fallback)),
      facts.allowed,
      facts.what,
    ];
  });
  return table(['key', 'flag', 'variable', 'default', 'allowed', 'meaning'], rows);
}
