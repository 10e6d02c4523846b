// The closed list of reasons a shard request is refused, or admitted without evidence, with everything keyed by a reason.

type ReasonRow = {
  /** Who says so. */
  readonly where: 'coordinator' | 'data node';
  /** HTTP status of the item (or of the whole request where nothing was parsed yet). */
  readonly status: 429 | 503 | 507 | 200;
  /** OpenSearch's error type; status 429 and rejected_execution_exception always go together. */
  readonly errorType: string;
  /** One sentence for the docs. */
  readonly meaning: string;
};

const REJECTED = 'rejected_execution_exception';

/** Reasons in charge order: where several apply, the first one is charged. */
export const REASONS = {
  coordinator_bytes: {
    where: 'coordinator',
    status: 429,
    errorType: REJECTED,
    meaning:
      'The bytes in flight at the coordinator are at their limit; the whole request is refused unparsed.',
  },
  coordinator_stressed: {
    where: 'coordinator',
    status: 429,
    errorType: REJECTED,
    meaning: "The coordinator's own cpu, heap or event loop is past its limit.",
  },
  primary_stressed: {
    where: 'coordinator',
    status: 429,
    errorType: REJECTED,
    meaning: "The node of the shard's primary is stressed at the primary limit.",
  },
  all_replicas_stressed: {
    where: 'coordinator',
    status: 429,
    errorType: REJECTED,
    meaning: 'Every live replica of the shard is on a node that is stressed at the replica limit.',
  },
  primary_bytes: {
    where: 'data node',
    status: 429,
    errorType: REJECTED,
    meaning: 'The bytes in flight at the node of the primary are at their limit.',
  },
  replica_bytes: {
    where: 'data node',
    status: 429,
    errorType: REJECTED,
    meaning: 'The bytes in flight at the node of a replica are at their limit.',
  },
  primary_limit: {
    where: 'data node',
    status: 429,
    errorType: REJECTED,
    meaning: 'The guard of the node of the primary found its own signals past the primary limit.',
  },
  replica_limit: {
    where: 'data node',
    status: 429,
    errorType: REJECTED,
    meaning: 'The guard of the node of a replica found its own signals past the replica limit.',
  },
  draining: {
    where: 'data node',
    status: 503,
    errorType: 'node_closed_exception',
    meaning: 'The node is shutting down and takes no new work.',
  },
  disk_full: {
    where: 'data node',
    status: 507,
    errorType: 'disk_full_exception',
    meaning: 'The data path of the node has no room for the write.',
  },
  evidence_unavailable: {
    where: 'coordinator',
    status: 200,
    errorType: 'none',
    meaning: 'Nothing recent is known of the node: the coordinator admits and counts it.',
  },
} as const satisfies Record<string, ReasonRow>;

export type Reason = keyof typeof REASONS;
/** A reason that can refuse. */
export type RefusalReason = Exclude<Reason, 'evidence_unavailable'>;
export const REASON_NAMES = Object.keys(REASONS) as readonly Reason[];
