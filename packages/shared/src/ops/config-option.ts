// What one configuration option is: its schema with default, its names in every source, and what the help says of it.
import { z } from 'zod';

/** How a value is shown to a person: as it is, without the password in its URL, or not at all. */
export type Disclosure = 'plain' | 'url' | 'secret';

export type OptionFacts = {
  /** Dotted key in the configuration file. */
  readonly key: string;
  /** Kebab-case name that the flag and the environment variable are made from. */
  readonly name: string;
  /** One sentence for the help. */
  readonly what: string;
  /** What values are allowed, as errors say it. */
  readonly allowed: string;
  /** Stands for the value in the help; empty for a switch. */
  readonly valueName: string;
  readonly disclosure: Disclosure;
};

const facts = z.registry<OptionFacts>();

/** A kind of value: how it is read from a string or from JSON, and how that is said. */
export type ValueKind<T> = {
  readonly schema: z.ZodType<T>;
  readonly allowed: string;
  readonly valueName: string;
  readonly disclosure?: Disclosure;
};

type Naming = Pick<OptionFacts, 'key' | 'name' | 'what'>;

/** An option that is always there: given, or its default. */
export function option<T>(naming: Naming, kind: ValueKind<T>, fallback: T): z.ZodType<T> {
  return describe(kind.schema.default(fallback as z.core.util.NoUndefined<T>) as z.ZodType<T>, naming, kind);
}

/** An option without a default. */
export function optionalOption<T>(naming: Naming, kind: ValueKind<T>): z.ZodType<T | undefined> {
  return describe(kind.schema.optional(), naming, kind);
}

function describe<S extends z.ZodType>(schema: S, naming: Naming, kind: ValueKind<unknown>): S {
  const { allowed, valueName, disclosure = 'plain' } = kind;
  facts.add(schema, { ...naming, allowed, valueName, disclosure });
  return schema;
}

/** The options of a configuration: one schema per field of the result. */
export type Options = Readonly<Record<string, z.ZodType>>;

export function factsOf(schema: z.ZodType): OptionFacts {
  const found = facts.get(schema);
  if (found === undefined) throw new TypeError('a configuration field must be made by option()');
  return found;
}

/** `--http-port`; a secret has none, since command lines are visible to other users of the host. */
export function flagOf(option: OptionFacts): string | undefined {
  return option.disclosure === 'secret' ? undefined : `--${option.name}`;
}

/** `WEIR_HTTP_PORT`. */
export function variableOf(option: OptionFacts): string {
  return `WEIR_${option.name.toUpperCase().replaceAll('-', '_')}`;
}
