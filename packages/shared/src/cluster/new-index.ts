// What a new index is made of: its creator's wishes, checked, and a place for each of its copies.
import type { Clock, Rng } from '../ops/clock.ts';
import { WeirError } from '../ops/errors.ts';
import { allocateShards } from './allocation.ts';
import type { IndexMetadata } from './index-metadata.ts';
import { checkIndexName } from './index-name.ts';
import { type ReadIndexSettings, readIndexSettings } from './index-settings.ts';
import { defaultRoutingNumShards } from './routing.ts';

export type NewIndexPlace = {
  /** Ids of the live data nodes. */
  readonly nodeIds: readonly string[];
  /** All indices there are: what the nodes hold already. */
  readonly indices: readonly IndexMetadata[];
  readonly clock: Clock;
  readonly rng: Rng;
};

/** Metadata travels whole with every change of an index. */
const MAX_MAPPINGS_LENGTH = 1024 * 1024;

/** Metadata of the index that the create body asks for; throws what OpenSearch would answer to a body that is wrong. */
export function newIndex(name: string, body: unknown, place: NewIndexPlace): IndexMetadata {
  checkIndexName(name);
  const { settings, mappings } = readBody(body);
  const wanted = readIndexSettings(settings);
  const routingNumShards = wanted.routingShards ?? defaultRoutingNumShards(wanted.numberOfShards);
  checkRouting(name, wanted, routingNumShards);
  const id = (): string => place.rng.bytes(16).toString('base64url');
  return {
    name,
    uuid: id(),
    created_wall_ms: place.clock.wallMs(),
    number_of_shards: wanted.numberOfShards,
    number_of_replicas: wanted.numberOfReplicas,
    routing_num_shards: routingNumShards,
    routing_partition_size: wanted.partitionSize,
    settings: wanted.kept,
    mappings,
    shards: allocateShards({
      numberOfShards: wanted.numberOfShards,
      numberOfReplicas: wanted.numberOfReplicas,
      nodeIds: place.nodeIds,
      indices: place.indices,
      newAllocationId: id,
    }),
  };
}

function readBody(body: unknown): { readonly settings: unknown; readonly mappings: Record<string, unknown> } {
  const given = new Map(Object.entries(asObject('request body', body ?? {})));
  for (const key of given.keys())
    if (key !== 'settings' && key !== 'mappings' && key !== 'aliases')
      throw new WeirError('parse', `unknown key [${key.slice(0, 200)}] for create index`);
  const aliases = Object.keys(asObject('aliases', given.get('aliases') ?? {}));
  if (aliases.length > 0)
    throw new WeirError(
      'illegal_argument',
      `alias [${aliases[0]?.slice(0, 200)}]: aliases are not supported by the embedded engine`,
    );
  const mappings = asObject('mappings', given.get('mappings') ?? {});
  const length = lengthOf(mappings);
  if (length > MAX_MAPPINGS_LENGTH)
    throw new WeirError(
      'illegal_argument',
      `mappings have ${length} characters, allowed are ${MAX_MAPPINGS_LENGTH}`,
    );
  return { settings: given.get('settings') ?? {}, mappings };
}

function lengthOf(mappings: Record<string, unknown>): number {
  try {
    return JSON.stringify(mappings).length;
  } catch {
    // The one thing parsed JSON can be that does not become text again.
    throw new WeirError('illegal_argument', 'mappings are nested too deeply');
  }
}

function asObject(what: string, value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new WeirError('parse', `${what} of create index must be an object`);
}

function checkRouting(name: string, wanted: ReadIndexSettings, routingNumShards: number): void {
  const { numberOfShards, partitionSize } = wanted;
  if (routingNumShards < numberOfShards)
    throw new WeirError(
      'illegal_argument',
      `index.number_of_routing_shards [${routingNumShards}] must be >= index.number_of_shards [${numberOfShards}]`,
    );
  if (routingNumShards % numberOfShards !== 0)
    throw new WeirError(
      'illegal_argument',
      `the number of source shards [${numberOfShards}] must be a factor of [${routingNumShards}]`,
    );
  if (partitionSize > 1 && partitionSize >= routingNumShards)
    throw new WeirError(
      'illegal_argument',
      `routing partition size [${partitionSize}] should be a positive number less than the number of routing shards [${routingNumShards}] for [${name}]`,
    );
}
