// Which index settings a creator may give: those acted on, those kept because ignoring them changes nothing a client sees, and why not the rest.
import { WeirError } from '../ops/errors.ts';
import { flattenSettings } from '../settings/flat-settings.ts';
import { nearestKey } from '../settings/nearest-key.ts';
import { readNumber } from '../settings/units.ts';
import { wildcardMatches } from '../settings/wildcard.ts';

/** Acted on, with their bounds. */
const ACTED_ON = {
  'index.number_of_shards': { min: 1, max: 1024 },
  'index.number_of_replicas': { min: 0, max: 100 },
  'index.routing_partition_size': { min: 1, max: 1024 * 1024 },
  'index.number_of_routing_shards': { min: 1, max: 1024 * 1024 },
} as const;

/** Kept and shown: they tune an engine, or say less than this one does anyway. */
const KEPT = [
  'index.refresh_interval',
  'index.codec*',
  'index.priority',
  'index.hidden',
  'index.gc_deletes',
  'index.max_*',
  'index.mapping.total_fields.limit',
  'index.mapping.depth.limit',
  'index.mapping.nested_fields.limit',
  'index.mapping.nested_objects.limit',
  'index.mapping.field_name_length.limit',
  // They take effect through mappings, which are kept and shown as well.
  'index.analysis.*',
  'index.similarity.*',
  'index.merge.*',
  // Every write is synced before it is acknowledged: stricter than any of these.
  'index.translog.*',
  'index.store.*',
  'index.search.*',
  'index.indexing.slowlog.*',
  'index.soft_deletes.*',
  'index.requests.cache.enable',
  'index.queries.cache.enabled',
  'index.warmer.enabled',
  'index.allocation.max_retries',
  'index.unassigned.node_left.delayed_timeout',
  'index.optimize_auto_generated_id',
] as const;

/** Known to OpenSearch, not acted on here: ignoring them in silence would change what a client sees. Their default changes nothing. */
const UNSUPPORTED: Readonly<Record<string, string | undefined>> = {
  'index.auto_expand_replicas': 'false',
  'index.blocks.*': 'false',
  'index.query.default_field': '*',
  'index.default_pipeline': '_none',
  'index.final_pipeline': '_none',
  'index.write.wait_for_active_shards': '1',
  'index.mapping.ignore_malformed': 'false',
  'index.mapping.coerce': 'false',
  'index.mapper.dynamic': 'true',
  'index.number_of_search_replicas': '0',
  'index.replication.type': 'DOCUMENT',
  'index.append_only.enabled': 'false',
  'index.routing.allocation.enable': 'all',
  'index.routing.rebalance.enable': 'all',
  'index.routing.allocation.*': undefined,
  'index.sort.*': undefined,
  'index.data_path': undefined,
  'index.remote_store.*': undefined,
};

/** Made by the cluster itself. */
const PRIVATE = [
  'index.uuid',
  'index.creation_date',
  'index.provided_name',
  'index.version.*',
  'index.history.uuid',
];

export type ReadIndexSettings = {
  readonly numberOfShards: number;
  readonly numberOfReplicas: number;
  readonly partitionSize: number;
  readonly routingShards: number | undefined;
  /** Flat, with values as text. */
  readonly kept: Readonly<Record<string, string>>;
};

/** Reads the `settings` of a create body: nested or dotted, with or without `index.`, numbers or text. */
export function readIndexSettings(body: unknown): ReadIndexSettings {
  const given = normalized(body);
  const kept = new Map<string, string>();
  for (const [key, text] of given) {
    if (!Object.hasOwn(ACTED_ON, key)) checkKept(key, text);
    if (!Object.hasOwn(ACTED_ON, key) || key === 'index.number_of_routing_shards') kept.set(key, text);
  }
  const whole = (key: keyof typeof ACTED_ON): number | undefined => {
    const text = given.get(key);
    return text === undefined ? undefined : readBounded(key, text);
  };
  return {
    numberOfShards: whole('index.number_of_shards') ?? 1,
    numberOfReplicas: whole('index.number_of_replicas') ?? 1,
    partitionSize: whole('index.routing_partition_size') ?? 1,
    routingShards: whole('index.number_of_routing_shards'),
    kept: Object.fromEntries(kept),
  };
}

function normalized(body: unknown): ReadonlyMap<string, string> {
  const given = new Map<string, string>();
  for (const [short, text] of flattenSettings('settings', body, 'kept')) {
    const key = short.startsWith('index.') ? short : `index.${short}`;
    if (given.has(key))
      throw new WeirError('illegal_argument', `setting [${key}] is given more than once in [settings]`);
    if (text !== null) given.set(key, text);
  }
  return given;
}

function readBounded(key: keyof typeof ACTED_ON, text: string): number {
  const reading = readNumber(text);
  const value = 'value' in reading && Number.isInteger(reading.value) ? reading.value : Number.NaN;
  const { min, max } = ACTED_ON[key];
  if (value >= min && value <= max) return value;
  const bound = value < min ? ` must be >= ${min}` : value > max ? ` must be <= ${max}` : '';
  throw new WeirError(
    'illegal_argument',
    `Failed to parse value [${text.slice(0, 100)}] for setting [${key}]${bound}`,
  );
}

function checkKept(key: string, text: string): void {
  if (KEPT.some((pattern) => wildcardMatches(pattern, key))) return;
  const unsupported = Object.keys(UNSUPPORTED).find((pattern) => wildcardMatches(pattern, key));
  if (unsupported !== undefined) {
    if (UNSUPPORTED[unsupported] === text) return;
    throw new WeirError('illegal_argument', `setting [${key}] is not supported by the embedded engine`);
  }
  if (PRIVATE.some((pattern) => wildcardMatches(pattern, key)))
    throw new WeirError(
      'validation',
      `Validation Failed: 1: private index setting [${key}] can not be set explicitly;`,
    );
  throw unknownSetting(key);
}

function unknownSetting(key: string): WeirError {
  const known = [...Object.keys(ACTED_ON), ...KEPT].filter((candidate) => !candidate.includes('*'));
  const nearest = nearestKey(key, known);
  const hint =
    nearest === undefined
      ? 'please check that any required plugins are installed, or check the breaking changes documentation for removed settings'
      : `did you mean [${nearest}]?`;
  return new WeirError('settings', `unknown setting [${key.slice(0, 200)}] ${hint}`);
}
