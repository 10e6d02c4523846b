// Where does an action go: to an index whose shards we know, or on unsplit because only OpenSearch can tell?
import type { IndexMetadata } from '@weir/shared';
import type { ClusterPicture, KnownAlias, KnownIndex } from './cluster-picture.ts';

/** What an action and its request say that bears on where it goes. */
export type Addressed = {
  readonly index: string;
  readonly routing: string | undefined;
  readonly pipeline: string | undefined;
  readonly requireAlias: boolean;
};

/** Why Weir leaves an action to OpenSearch. */
export const PASS_THROUGH_REASONS = [
  'topology_unknown',
  'date_math',
  'unknown_index',
  'data_stream',
  'require_alias',
  'no_write_index',
  'alias_routing',
  'closed',
  'blocked',
  'pipeline',
  'own_rules',
  'no_primary',
] as const;
export type PassThroughReason = (typeof PASS_THROUGH_REASONS)[number];

export type Target =
  | { readonly kind: 'index'; readonly metadata: IndexMetadata; readonly routing: string | undefined }
  | {
      readonly kind: 'pass';
      readonly reason: PassThroughReason;
      /** The index it most likely ends in. */
      readonly likely: IndexMetadata | undefined;
    };

/** Follows OpenSearch's own order: stream, alias, index, then what the index asks for. Its errors are never made here. */
export function resolveTarget(picture: ClusterPicture | undefined, action: Addressed): Target {
  if (picture === undefined) return pass('topology_unknown');
  const { index: name, requireAlias } = action;
  if (name.startsWith('<')) return pass('date_math');
  const alias = picture.aliases.get(name);
  if (alias !== undefined) return throughAlias(picture, alias, action);
  const index = picture.indices.get(name);
  if (requireAlias) return pass('require_alias', index);
  if (index !== undefined) return toIndex(index, routingOf(action), action);
  const stream = picture.dataStreams.get(name);
  if (stream !== undefined) return pass('data_stream', picture.indices.get(stream));
  return pass(picture.dataStreams.has(name) ? 'data_stream' : 'unknown_index');
}

/** An alias with a routing of its own takes no other, and several values in it serve reading only. */
function throughAlias(picture: ClusterPicture, alias: KnownAlias, action: Addressed): Target {
  const { writeIndex, writeRouting } = alias;
  const index = writeIndex === undefined ? undefined : picture.indices.get(writeIndex);
  if (index === undefined) return pass('no_write_index');
  const given = routingOf(action);
  if (writeRouting === undefined) return toIndex(index, given, action);
  const conflict = given !== undefined && given !== writeRouting;
  if (conflict || writeRouting.includes(',')) return pass('alias_routing', index);
  return toIndex(index, writeRouting, action);
}

function toIndex(index: KnownIndex, routing: string | undefined, action: Addressed): Target {
  if (!index.open) return pass('closed', index);
  if (index.blocked) return pass('blocked', index);
  if (hasPipeline(index, action)) return pass('pipeline', index);
  if (index.ownRules) return pass('own_rules', index);
  return { kind: 'index', metadata: index.metadata, routing };
}

/** A pipeline may change index, id and routing. Deletes pass none, but stay with the operations they must keep their order with. */
function hasPipeline(index: KnownIndex, { pipeline }: Addressed): boolean {
  if (index.finalPipeline !== undefined) return true;
  return pipeline === undefined ? index.defaultPipeline !== undefined : pipeline !== '_none';
}

/** OpenSearch takes an empty routing for none. */
function routingOf({ routing }: Addressed): string | undefined {
  return routing === '' ? undefined : routing;
}

function pass(reason: PassThroughReason, likely?: KnownIndex): Target {
  return { kind: 'pass', reason, likely: likely?.metadata };
}
