// Every setting there is: key, type, default, bounds and meaning; the one place that parsing, errors, defaults and docs come from.
import { MODES } from '../admission/signals.ts';
import { baseOptions } from '../ops/base-options.ts';
import { factsOf } from '../ops/config-option.ts';
import {
  autoCreate,
  fixedAtStart,
  flag,
  number,
  type Setting,
  size,
  sizeOrPercent,
  time,
  word,
} from './setting.ts';
import { signalSettings } from './signal-settings.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const MIB = 1024 * 1024;

/** Settings with a key of their own; the limits of the signals come beside them. */
export const PLAIN_SETTINGS = {
  'weir.admission.mode': word(
    MODES,
    'enforced',
    'Master mode of the signals. monitor_only counts and logs what they would refuse, apart from real refusals; disabled looks at none of them. Byte limits refuse in every mode.',
  ),
  'weir.admission.leave_margin': number(
    { min: 0, max: 50, unit: 'points (percent of the limit for queue)' },
    5,
    'Stress that began at the soft limit ends this far below it.',
  ),
  'weir.admission.min_hold': time(
    { minMs: 0, maxMs: MINUTE_MS },
    2 * SECOND_MS,
    'Least time in the stressed state.',
  ),
  'weir.admission.max_shed_ratio': number(
    { min: 0, max: 1, unit: 'share' },
    0.95,
    'Most that a ramp may refuse, so that probes keep flowing; 1 lets a limit refuse everything.',
  ),
  'weir.admission.corroborate': flag(
    true,
    'Weigh cpu, io and event_loop by the work waiting; false gives the bare limits.',
  ),
  'weir.admission.epoch': time(
    { minMs: 10 * SECOND_MS, maxMs: 10 * MINUTE_MS },
    MINUTE_MS,
    'How long the same bytes keep their verdict.',
  ),
  'weir.admission.stats_ttl': time(
    { minMs: SECOND_MS, maxMs: MINUTE_MS },
    5 * SECOND_MS,
    'Evidence older than this is unknown: the coordinator admits and counts.',
  ),
  'weir.admission.coordinator.enabled': flag(
    true,
    'Early refusal at the coordinator; false leaves the guards of the data nodes alone.',
  ),
  'weir.stats.interval': time(
    { minMs: 100, maxMs: 10 * SECOND_MS },
    SECOND_MS,
    'Publish period of a data node, jittered by 10 % either way.',
  ),
  'weir.indexing_pressure.limit': sizeOrPercent(
    { minBytes: MIB, maxPercent: 50 },
    '10%',
    'Bytes in flight, coordinating and primary; a percentage is of the heap limit. Each process holds it between 1mb and 50 % of its heap limit. Refuses in every mode, also monitor_only and disabled.',
  ),
  'weir.indexing_pressure.replica_factor': number(
    { min: 1, max: 4, unit: 'factor' },
    1.5,
    'Limit of replica bytes: the limit times this. Refuses in every mode, also monitor_only and disabled.',
  ),
  'weir.replication.on_replica_refusal': word(
    ['retry', 'fail_copy', 'let_pass'],
    'retry',
    "What the primary does when a replica's guard refuses.",
  ),
  'weir.replication.retry_timeout': time(
    { minMs: 0, maxMs: 10 * MINUTE_MS },
    MINUTE_MS,
    'How long the primary retries before the copy is failed.',
  ),
  'weir.replication.reserve': word(
    ['auto', 'always', 'never'],
    'auto',
    'Ask replicas for a permit before the first side effect; auto asks only those not known to be calm.',
  ),
  'weir.bulk.refusal': word(
    ['item', 'request'],
    'item',
    'Refuse single items in a 200, or the whole request with 429 when the coordinator refuses any of its shard requests; then nothing is applied. What a data node refuses after that is always an item.',
  ),
  'weir.bulk.max_body': size(
    { min: 1024, max: 1024 * MIB },
    100 * MIB,
    'Largest inflated body; over it the answer is 413 with the limit.',
  ),
  'weir.retry_after.enabled': flag(true, 'Send Retry-After with refusals.'),
  'weir.retry_after.min': time({ minMs: SECOND_MS, maxMs: 10 * MINUTE_MS }, SECOND_MS, 'Least Retry-After.'),
  'weir.retry_after.max': time(
    { minMs: SECOND_MS, maxMs: 10 * MINUTE_MS },
    MINUTE_MS,
    'Largest Retry-After.',
  ),
  'weir.log.refusals_per_second': number(
    { min: 0, max: 1_000, unit: 'lines per second, reason and node', whole: true },
    5,
    'Refusals logged one by one; the rest are summed into one line a second with exact totals.',
  ),
  'weir.opensearch.on_agent_loss': word(
    ['direct', 'refuse'],
    'direct',
    'In front of OpenSearch, where the agent beside a node is gone: send shard requests straight to the node, or refuse them.',
  ),
  'cluster.max_shards_per_node': number(
    { min: 1, max: 1_000_000, unit: 'shard copies per live data node', whole: true },
    1_000,
    'Most shard copies of all indices together; an index that would bring the cluster past it is not made, whether asked for or by its first write.',
  ),
  'action.auto_create_index': autoCreate(
    'true',
    'Whether the first write to an index makes it: true, false, or names and patterns of which the first that matches decides.',
  ),
} as const satisfies Readonly<Record<string, Setting>>;

function fixedSettings(): [string, Setting][] {
  return Object.values(baseOptions({ httpPort: 0, dataDir: '' })).map((option) => {
    const { key, what } = factsOf(option);
    return [key, fixedAtStart(what)];
  });
}

/** All settings by key, those fixed at start too. */
export const SETTINGS: ReadonlyMap<string, Setting> = new Map(
  [...Object.entries<Setting>(PLAIN_SETTINGS), ...signalSettings(), ...fixedSettings()].sort(([a], [b]) =>
    a < b ? -1 : 1,
  ),
);

/** Keys that can be changed while the cluster runs, in order. */
export const DYNAMIC_KEYS: readonly string[] = [...SETTINGS]
  .filter(([, { dynamic }]) => dynamic)
  .map(([key]) => key);
