// Which configuration a service runs with: flags over environment over file over defaults, or every mistake in one error.
import { z } from 'zod';
import { redactUrl } from '../bus/redis-address.ts';
import { checkFileSettings } from '../settings/settings-file.ts';
import { formatTimeMs } from '../settings/units.ts';
import { type BaseConfig, type BaseFields, baseConfig } from './base-config.ts';
import type { BaseOptions } from './base-options.ts';
import { CONFIG_VARIABLE, readEnvironment } from './config-environment.ts';
import { readFile } from './config-file.ts';
import { readFlags } from './config-flags.ts';
import type { Given } from './config-given.ts';
import { helpText } from './config-help.ts';
import { factsOf, type OptionFacts, type Options, variableOf } from './config-option.ts';
import { WeirError } from './errors.ts';
import { REDACTED } from './redact.ts';
import { WEIR_VERSION } from './version.ts';

/** One option as it came out, for the log and the settings page: never a secret. */
export type EffectiveOption = { readonly key: string; readonly value: unknown; readonly from: string };

/** What a configuration was made of. */
export type Provenance = {
  /** Dynamic settings of the configuration file, flat, checked and as they were written: the layer between defaults and persistent settings. */
  readonly fileSettings: Readonly<Record<string, unknown>>;
  readonly effective: readonly EffectiveOption[];
};

/** What to do: run with this configuration, or only print a text. */
export type Loaded<C> =
  | {
      readonly kind: 'run';
      readonly config: C;
      /** What was given, as environment variables, to hand it on to another process; secrets are among them. */
      readonly variables: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'print'; readonly text: string };

export type ConfigRequest<E extends Options> = {
  /** Name of the service, as `--help` shows it. */
  readonly program: string;
  readonly summary: string;
  readonly base: BaseOptions;
  /** Options of this service alone. */
  readonly own: E;
};

/** The command line without node and script, and the environment. */
export type Launch = {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** Reads the configuration; throws one WeirError `config` that names every mistake with its source, key, value and what is allowed. */
export function loadConfig<E extends Options>(
  request: ConfigRequest<E>,
  launch: Launch,
): Loaded<BaseConfig & Provenance & z.infer<z.ZodObject<E>>> {
  const options = { ...request.base, ...request.own };
  const flags = readFlags(options, launch.argv);
  if (flags.help) return { kind: 'print', text: helpText(request.program, request.summary, options) };
  if (flags.version) return { kind: 'print', text: `${WEIR_VERSION}\n` };
  const environment = readEnvironment(options, launch.env);
  const path = flags.configFile ?? (launch.env[CONFIG_VARIABLE] || undefined);
  const file =
    path === undefined
      ? { given: new Map<string, Given>(), problems: [], settings: {} }
      : readFile(options, path);
  const given = new Map([...file.given, ...environment.given, ...flags.given]);
  const values = Object.fromEntries([...given].map(([field, { value }]) => [field, value]));
  const base = z.object(request.base).safeParse(values);
  const own = z.object(request.own).safeParse(values);
  const problems = [
    ...flags.problems,
    ...environment.problems,
    ...file.problems,
    ...checkFileSettings(file.settings).map((problem) => `file ${path}: ${problem}`),
    ...valueProblems(options, given, [base.error, own.error]),
    ...(base.success ? timeoutProblems(options, base.data) : []),
  ];
  if (problems.length > 0 || !base.success || !own.success) throw configError(problems);
  const effective = effectiveOptions(options, given, { ...base.data, ...own.data });
  return {
    kind: 'run',
    config: { ...baseConfig(base.data), ...own.data, fileSettings: file.settings, effective },
    variables: Object.fromEntries(
      Object.entries(options)
        .filter(([field]) => given.has(field))
        .map(([field, schema]) => [variableOf(factsOf(schema)), String(given.get(field)?.value)]),
    ),
  };
}

function configError(problems: readonly string[]): WeirError {
  const [first = 'the configuration is not valid'] = problems;
  if (problems.length <= 1) return new WeirError('config', `${first} (see --help)`);
  const numbered = problems.map((problem, position) => `(${position + 1}) ${problem}`);
  return new WeirError(
    'config',
    `${problems.length} mistakes in the configuration: ${numbered.join('; ')} (see --help)`,
  );
}

function valueProblems(
  options: Options,
  given: ReadonlyMap<string, Given>,
  errors: readonly (z.ZodError | undefined)[],
): string[] {
  const fields = new Set(errors.flatMap((error) => (error?.issues ?? []).map(({ path }) => String(path[0]))));
  return Object.entries(options)
    .filter(([field]) => fields.has(field))
    .map(([field, schema]) => {
      const facts = factsOf(schema);
      const { value, from } = given.get(field) ?? { value: undefined, from: 'default' };
      const text = JSON.stringify(shown(facts, value))?.slice(0, 120);
      return `${from}: ${facts.key} is ${text}, allowed: ${facts.allowed}`;
    });
}

/** A timeout that is not longer than the one inwards of it would report a failure while the work still goes on. */
function timeoutProblems(options: BaseOptions, fields: BaseFields): string[] {
  const order = ['clientTimeoutMs', 'coordinatorTimeoutMs', 'primaryTimeoutMs', 'replicaTimeoutMs'] as const;
  return order.slice(1).flatMap((inner, position) => {
    const outer = order[position] ?? inner;
    if (fields[outer] > fields[inner]) return [];
    const [outerKey, innerKey] = [factsOf(options[outer]).key, factsOf(options[inner]).key];
    const [outerTime, innerTime] = [formatTimeMs(fields[outer]), formatTimeMs(fields[inner])];
    return [`${outerKey} (${outerTime}) must be longer than ${innerKey} (${innerTime})`];
  });
}

function effectiveOptions(
  options: Options,
  given: ReadonlyMap<string, Given>,
  fields: Readonly<Record<string, unknown>>,
): EffectiveOption[] {
  return Object.entries(options).map(([field, schema]) => {
    const facts = factsOf(schema);
    return {
      key: facts.key,
      value: shown(facts, fields[field]) ?? null,
      from: given.get(field)?.from ?? 'default',
    };
  });
}

function shown({ disclosure }: OptionFacts, value: unknown): unknown {
  if (value === undefined || disclosure === 'plain') return value;
  return disclosure === 'url' ? redactUrl(String(value)) : REDACTED;
}
