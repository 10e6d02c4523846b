// Where does an action go: to an index whose shards we know, or on unsplit because only OpenSearch can tell?
import type { UnsplitReason } from '@weir/shared';
import type { Addressed, Target } from '../cluster/topology.ts';
import type { ClusterPicture, KnownAlias, KnownIndex } from './cluster-picture.ts';

/** Follows OpenSearch's own order: stream, alias, index, then what the index asks for. Its errors are never made here. */
export function resolveTarget(picture: ClusterPicture | undefined, action: Addressed): Target {
  if (picture === undefined) return unsplit('topology_unknown');
  const { index: name, requireAlias } = action;
  if (name.startsWith('<')) return unsplit('date_math');
  const alias = picture.aliases.get(name);
  if (alias !== undefined) return throughAlias(picture, alias, action);
  const index = picture.indices.get(name);
  if (requireAlias) return unsplit('require_alias', index);
  if (index !== undefined) return toIndex(index, routingOf(action), action, false);
  const stream = picture.dataStreams.get(name);
  if (stream !== undefined) return unsplit('data_stream', picture.indices.get(stream));
  return unsplit(picture.dataStreams.has(name) ? 'data_stream' : 'unknown_index');
}

/** An alias with a routing of its own takes no other, and several values in it serve reading only. */
function throughAlias(picture: ClusterPicture, alias: KnownAlias, action: Addressed): Target {
  const { writeIndex, writeRouting } = alias;
  const index = writeIndex === undefined ? undefined : picture.indices.get(writeIndex);
  if (index === undefined) return unsplit('no_write_index');
  const given = routingOf(action);
  if (writeRouting === undefined) return toIndex(index, given, action, true);
  const conflict = given !== undefined && given !== writeRouting;
  if (conflict || writeRouting.includes(',')) return unsplit('alias_routing', index);
  return toIndex(index, writeRouting, action, true);
}

function toIndex(
  index: KnownIndex,
  routing: string | undefined,
  action: Addressed,
  throughAlias: boolean,
): Target {
  if (!index.open) return unsplit('closed', index);
  if (index.blocked) return unsplit('blocked', index);
  if (hasPipeline(index, action)) return unsplit('pipeline', index);
  if (index.ownRules) return unsplit('own_rules', index);
  return { kind: 'index', metadata: index.metadata, routing, throughAlias };
}

/**
 * A pipeline may change index, id and routing. Deletes pass none, but stay with the operations they must keep their order with. What names one stays
 * whole, also where that is `_none`: a shard request says nothing of pipelines, and its documents would pass the default one.
 */
function hasPipeline(index: KnownIndex, { pipeline }: Addressed): boolean {
  return pipeline !== undefined || index.defaultPipeline !== undefined || index.finalPipeline !== undefined;
}

/** OpenSearch takes an empty routing for none. */
function routingOf({ routing }: Addressed): string | undefined {
  return routing === '' ? undefined : routing;
}

function unsplit(reason: UnsplitReason, likely?: KnownIndex): Target {
  return { kind: 'unsplit', reason, likely: likely?.metadata };
}
