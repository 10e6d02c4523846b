// Which options the command line gives, and whether it asks for something other than a run.
import { parseArgs } from 'node:util';
import type { Given, SourceReading } from './config-given.ts';
import { factsOf, flagOf, type Options } from './config-option.ts';

export type FlagReading = SourceReading & {
  readonly help: boolean;
  readonly version: boolean;
  readonly configFile: string | undefined;
};

type Flag = { readonly type: 'string' | 'boolean'; readonly field: string | undefined };

/** Unknown flags, missing values and left-over arguments are all named; of a flag given twice the last one counts. */
export function readFlags(options: Options, argv: readonly string[]): FlagReading {
  const flags = knownFlags(options);
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries([...flags].map(([name, { type }]) => [name, { type }])),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const problems: string[] = [];
  const values = new Map<string, string | true>();
  for (const token of tokens) {
    if (token.kind === 'positional') problems.push(`argument ${JSON.stringify(token.value)} is not expected`);
    if (token.kind !== 'option') continue;
    const problem = problemOf(flags.get(token.name), token);
    if (problem === undefined) values.set(token.name, token.value ?? true);
    else problems.push(problem);
  }
  const configFile = values.get('config');
  return {
    given: givenBy(flags, values),
    problems,
    help: values.has('help'),
    version: values.has('version'),
    configFile: typeof configFile === 'string' ? configFile : undefined,
  };
}

function knownFlags(options: Options): Map<string, Flag> {
  const flags = new Map<string, Flag>([
    ['config', { type: 'string', field: undefined }],
    ['help', { type: 'boolean', field: undefined }],
    ['version', { type: 'boolean', field: undefined }],
  ]);
  for (const [field, schema] of Object.entries(options)) {
    const facts = factsOf(schema);
    if (flagOf(facts) !== undefined)
      flags.set(facts.name, { type: facts.valueName === '' ? 'boolean' : 'string', field });
  }
  return flags;
}

function problemOf(
  flag: Flag | undefined,
  token: { readonly rawName: string; readonly value: string | undefined },
): string | undefined {
  if (flag === undefined) return `flag ${token.rawName} is unknown`;
  if (flag.type === 'string' && token.value === undefined) return `flag ${token.rawName} needs a value`;
  return undefined;
}

function givenBy(
  flags: ReadonlyMap<string, Flag>,
  values: ReadonlyMap<string, string | true>,
): Map<string, Given> {
  const given = new Map<string, Given>();
  for (const [name, value] of values) {
    const field = flags.get(name)?.field;
    if (field !== undefined) given.set(field, { value, from: `flag --${name}` });
  }
  return given;
}
