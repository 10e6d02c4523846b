// Which options the environment gives.
import type { Given, SourceReading } from './config-given.ts';
import { factsOf, type Options, variableOf } from './config-option.ts';

/** Names the configuration file. */
export const CONFIG_VARIABLE = 'WEIR_CONFIG';

/** Set by container platforms for every service whose name begins with `weir`; not meant for us. */
const PLATFORM_VARIABLE = /_SERVICE_(HOST|PORT)[_=]|_PORT_\d+_(TCP|UDP)[_=]|_PORT=(tcp|udp):\/\//;

/** An empty variable counts as not given, as `${NAME:-}` in a compose file leaves it. */
export function readEnvironment(
  options: Options,
  env: Readonly<Record<string, string | undefined>>,
): SourceReading {
  const fields = new Map(
    Object.entries(options).map(([field, schema]) => [variableOf(factsOf(schema)), field] as const),
  );
  const given = new Map<string, Given>();
  const problems: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith('WEIR_') || name === CONFIG_VARIABLE || value === undefined || value === '')
      continue;
    if (PLATFORM_VARIABLE.test(`${name}=${value}`)) continue;
    const field = fields.get(name);
    if (field === undefined) problems.push(`environment ${name} is unknown`);
    else given.set(field, { value, from: `environment ${name}` });
  }
  return { given, problems };
}
