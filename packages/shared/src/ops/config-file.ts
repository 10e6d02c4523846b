// Which options and dynamic settings the configuration file gives.
import { readFileSync } from 'node:fs';
import type { Given, SourceReading } from './config-given.ts';
import { factsOf, type Options } from './config-option.ts';

/** A JSON file, nested or with dotted keys. Keys that are no options are dynamic settings, given back as they are. */
export function readFile(
  options: Options,
  path: string,
): SourceReading & { readonly settings: Readonly<Record<string, unknown>> } {
  const problems: string[] = [];
  const flat = new Map<string, unknown>();
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (isObject(content)) flatten('', content, flat, problems, path);
    else problems.push(`file ${path} must hold a JSON object`);
  } catch (error) {
    problems.push(`file ${path} cannot be read: ${reasonOf(error)}`);
  }
  const fields = new Map(
    Object.entries(options).map(([field, schema]) => [factsOf(schema).key, field] as const),
  );
  const given = new Map<string, Given>();
  const settings: Record<string, unknown> = {};
  for (const [key, value] of flat) {
    const field = fields.get(key);
    if (field !== undefined) given.set(field, { value, from: `file ${path}` });
    else if (key.startsWith('weir.')) settings[key] = value;
    else problems.push(`file ${path}: key ${key} is unknown; every key begins with weir.`);
  }
  return { given, problems, settings };
}

/** Without the piece of the file that a JSON error quotes: there may be a secret in it. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof SyntaxError
    ? `not valid JSON (${message.replace(/, (\.\.\.)?".*/s, '')})`
    : message;
}

function flatten(
  prefix: string,
  value: Readonly<Record<string, unknown>>,
  into: Map<string, unknown>,
  problems: string[],
  path: string,
): void {
  for (const [name, inner] of Object.entries(value)) {
    const key = prefix === '' ? name : `${prefix}.${name}`;
    if (isObject(inner)) flatten(key, inner, into, problems, path);
    else if (into.has(key)) problems.push(`file ${path}: key ${key} stands there twice`);
    else into.set(key, inner);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
