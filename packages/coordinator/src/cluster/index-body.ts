// An index as OpenSearch shows it: settings nested or flat with values as text, mappings as they were given.
import { type IndexMetadata, nestSettings } from '@weir/shared';

/** Settings by flat key, values as text. */
function flatIndexSettings(index: IndexMetadata): Readonly<Record<string, string>> {
  return {
    ...index.settings,
    'index.number_of_shards': String(index.number_of_shards),
    'index.number_of_replicas': String(index.number_of_replicas),
    ...(index.routing_partition_size === 1
      ? {}
      : { 'index.routing_partition_size': String(index.routing_partition_size) }),
    'index.uuid': index.uuid,
    'index.creation_date': String(Math.round(index.created_wall_ms)),
    'index.provided_name': index.name,
  };
}

/** `{"index":{"number_of_shards":"1",…}}`, or flat keys. */
export function indexSettingsBody(index: IndexMetadata, flat: boolean): Readonly<Record<string, unknown>> {
  const settings = flatIndexSettings(index);
  return flat ? settings : nestSettings(Object.entries(settings));
}
