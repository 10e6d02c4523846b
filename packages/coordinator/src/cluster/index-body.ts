// An index as OpenSearch shows it: settings nested or flat with values as text, mappings as they were given.
import type { IndexMetadata } from '@weir/shared';

/** Settings by flat key, values as text. */
export function flatIndexSettings(index: IndexMetadata): Readonly<Record<string, string>> {
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
  return flat ? settings : nested(settings);
}

type Tree = { [key: string]: string | Tree };

/** Keys that are both a value and a prefix of others stay dotted below the deepest object there is. */
function nested(settings: Readonly<Record<string, string>>): Tree {
  const tree: Tree = {};
  for (const [key, value] of Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1))) {
    place(tree, key.split('.'), value);
  }
  return tree;
}

function place(tree: Tree, path: readonly string[], value: string): void {
  const [head = '', ...rest] = path;
  const below = Object.hasOwn(tree, head) ? tree[head] : undefined;
  if (rest.length === 0 || typeof below === 'string') {
    define(tree, path.join('.'), value);
    return;
  }
  const inner = below ?? {};
  define(tree, head, inner);
  place(inner, rest, value);
}

/** Not an assignment: a key `__proto__` is a key like any other. */
function define(tree: Tree, key: string, value: string | Tree): void {
  Object.defineProperty(tree, key, { value, enumerable: true, writable: true, configurable: true });
}
