// What the body of `PUT /{index}` asks for: settings nested or dotted, with `index.` before them or not, and mappings.
import { escapeControlCharacters, WeirError } from '@weir/shared';
import { isRecord } from '../http/read-json-body.ts';
import type { CreateIndex } from './index-admin.ts';

const SHARDS = 'index.number_of_shards';
const REPLICAS = 'index.number_of_replicas';
const ROUTING_SHARDS = 'index.number_of_routing_shards';
const PARTITION = 'index.routing_partition_size';
const SIZES = new Set([SHARDS, REPLICAS, ROUTING_SHARDS, PARTITION]);
/** Set by the cluster alone. */
const PRIVATE = new Set([
  'index.uuid',
  'index.creation_date',
  'index.provided_name',
  'index.version.created',
]);
const MAX_SHARDS = 1024;
/** More copies of a shard than nodes a small cluster can have would only stay unassigned. */
const MAX_REPLICAS = 100;

/** Throws for anything that could not be honoured, naming it. */
export function parseCreateIndex(name: string, body: Readonly<Record<string, unknown>>): CreateIndex {
  for (const key of Object.keys(body)) {
    if (key === 'settings' || key === 'mappings' || (key === 'aliases' && isEmpty(body[key]))) continue;
    throw new WeirError(
      'parsing',
      `unknown key [${escapeControlCharacters(key)}] for create index, supported: [settings, mappings]`,
    );
  }
  const settings = flatten(objectAt(body, 'settings'));
  const numberOfShards = size(settings, SHARDS, 1, MAX_SHARDS);
  return {
    name,
    numberOfShards,
    numberOfReplicas: size(settings, REPLICAS, 0, MAX_REPLICAS),
    routingNumShards: size(settings, ROUTING_SHARDS, 1, 1 << 24),
    routingPartitionSize: size(settings, PARTITION, 1, MAX_SHARDS),
    settings: Object.fromEntries([...settings].filter(([key]) => !SIZES.has(key))),
    mappings: objectAt(body, 'mappings'),
  };
}

function objectAt(body: Readonly<Record<string, unknown>>, key: string): Readonly<Record<string, unknown>> {
  const value = body[key] ?? {};
  if (isRecord(value)) return value;
  throw new WeirError('parsing', `key [${key}] must be an object`);
}

/** Flat keys that all begin with `index.`, values as text; null means the default. */
function flatten(settings: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const flat = new Map<string, string>();
  for (const [path, value] of leaves('', settings)) {
    const key = path.startsWith('index.') ? path : `index.${path}`;
    if (PRIVATE.has(key))
      throw new WeirError('illegal_argument', `private index setting [${key}] can not be set explicitly`);
    if (value !== null) flat.set(key, String(value));
  }
  return flat;
}

function leaves(prefix: string, settings: Readonly<Record<string, unknown>>): readonly [string, unknown][] {
  return Object.entries(settings).flatMap(([key, value]): readonly [string, unknown][] =>
    isRecord(value) ? leaves(`${prefix}${key}.`, value) : [[`${prefix}${key}`, value]],
  );
}

function size(
  settings: ReadonlyMap<string, string>,
  key: string,
  min: number,
  max: number,
): number | undefined {
  const text = settings.get(key);
  if (text === undefined) return undefined;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new WeirError(
    'illegal_argument',
    `Failed to parse value [${escapeControlCharacters(text.slice(0, 100))}] for setting [${key}], allowed: a whole number from ${min} to ${max}`,
  );
}

function isEmpty(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length === 0;
}
