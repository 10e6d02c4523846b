// Every metric a Weir process shows: name, kind, labels with the closed lists of their values, and the words of docs/metrics.md.
import { REASON_NAMES } from '../admission/reasons.ts';
import { ROLES, SIGNALS } from '../admission/signals.ts';
import { UNSPLIT_REASON_NAMES } from '../cluster/unsplit-reasons.ts';

/** Verdicts as metrics and log lines name them. */
export const VERDICT_NAMES = ['admit', 'would_refuse', 'refuse'] as const;
/** How a shard request ended. */
export const SHARD_OUTCOMES = ['applied', 'refused', 'failed'] as const;
/** How one operation of a bulk ended, as its client was told. */
export const OPERATION_OUTCOMES = ['accepted', 'refused', 'failed'] as const;

export type ShardOutcome = (typeof SHARD_OUTCOMES)[number];
export type OperationOutcome = (typeof OPERATION_OUTCOMES)[number];

type MetricRow = {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** Label names with every value each can take; `nodes` stands for the names of the cluster's nodes, `versions` for one value per process. */
  readonly labels: Readonly<Record<string, readonly string[] | 'nodes' | 'versions'>>;
  readonly help: string;
};

const roles = ROLES;
const reasons = ['none', ...REASON_NAMES];
const culprits = [...SIGNALS, 'bytes', 'none'];

/** No label ever holds an index name, an id or anything else a client chooses: the number of series is bounded by these lists. */
export const METRICS = {
  weir_admission_decisions_total: {
    kind: 'counter',
    labels: { role: roles, verdict: VERDICT_NAMES, reason: reasons, signal: culprits },
    help: 'Total decisions, one per shard request and role, since the start of the process.',
  },
  weir_refused_operations_total: {
    kind: 'counter',
    labels: { role: roles, reason: reasons },
    help: 'Total operations of refused shard requests since the start of the process.',
  },
  weir_refused_bytes_total: {
    kind: 'counter',
    labels: { role: roles, reason: reasons },
    help: 'Total bytes of refused shard requests since the start of the process.',
  },
  weir_would_refuse_operations_total: {
    kind: 'counter',
    labels: { role: roles, reason: reasons },
    help: 'Total operations admitted in mode monitor_only that mode enforced would have refused, since the start of the process.',
  },
  weir_would_refuse_bytes_total: {
    kind: 'counter',
    labels: { role: roles, reason: reasons },
    help: 'Total bytes admitted in mode monitor_only that mode enforced would have refused, since the start of the process.',
  },
  weir_bulk_operations_total: {
    kind: 'counter',
    labels: { outcome: OPERATION_OUTCOMES },
    help: 'Total operations answered to clients since the start of the process, by what the answer said of each.',
  },
  weir_unsplit_operations_total: {
    kind: 'counter',
    labels: { reason: UNSPLIT_REASON_NAMES },
    help: 'Total operations that were judged and sent on without being split by shard since the start of the process, by the reason; always 0 with the built-in engine.',
  },
  weir_bulk_seconds: {
    kind: 'histogram',
    labels: {},
    help: 'Seconds from the head of a bulk or document write to its answer.',
  },
  weir_shard_request_seconds: {
    kind: 'histogram',
    labels: { role: roles, outcome: SHARD_OUTCOMES },
    help: 'Seconds of one shard request: at the coordinator with its way there and back, at a node as primary or replica.',
  },
  weir_in_flight_bytes: {
    kind: 'gauge',
    labels: { role: roles },
    help: 'Bytes in flight now, held against the byte limits.',
  },
  weir_signal_ratio: {
    kind: 'gauge',
    labels: { signal: SIGNALS.filter((name) => name !== 'queue') },
    help: "Fuller of the two averages of this process's own signal, 0 to 1; absent while unknown.",
  },
  weir_delay_seconds: {
    kind: 'gauge',
    labels: {},
    help: 'Seconds of work waiting at this node; absent while its drain rate is unknown.',
  },
  weir_evidence_age_seconds: {
    kind: 'gauge',
    labels: { node: 'nodes' },
    help: 'Seconds since the newest sample of a data node arrived here.',
  },
  weir_redis_up: {
    kind: 'gauge',
    labels: {},
    help: '1 when the last call to the bus got an answer, else 0.',
  },
  weir_settings_version: {
    kind: 'gauge',
    labels: {},
    help: 'Version of the dynamic settings this process has applied.',
  },
  weir_build_info: {
    kind: 'gauge',
    labels: { version: 'versions', node_version: 'versions', service: 'versions' },
    help: 'Always 1; the labels tell what runs.',
  },
  process_start_time_seconds: {
    kind: 'gauge',
    labels: {},
    help: 'Unix time of the start of the process in seconds; the counters started at 0 then.',
  },
} as const satisfies Record<string, MetricRow>;

export type MetricName = keyof typeof METRICS;
export const METRIC_NAMES = Object.keys(METRICS) as readonly MetricName[];
