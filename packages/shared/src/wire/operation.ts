// The words of the data path: one operation, the operations of one shard, and what became of each.

export type OperationKind = 'index' | 'create' | 'update' | 'delete';
export type VersionType = 'internal' | 'external' | 'external_gte';

/** One action of a bulk with its source, already routed; `source` is the client's line byte for byte. */
export type Operation = {
  readonly kind: OperationKind;
  readonly id: string;
  /** The id was made by the coordinator: the document cannot exist yet. */
  readonly autoId: boolean;
  readonly routing: string | undefined;
  /** The name the client gave, where that is an alias, for an engine behind: it resolves it anew, for it may have moved on meanwhile. */
  readonly alias?: string;
  /** The client wants that name to be an alias. */
  readonly requireAlias?: boolean;
  /** Raw bytes without line end; empty for a delete. */
  readonly source: Buffer;
  readonly ifSeqNo: number | undefined;
  readonly ifPrimaryTerm: number | undefined;
  readonly version: number | undefined;
  readonly versionType: VersionType;
  readonly retryOnConflict: number;
  /** Update only: return the resulting source in `get`. */
  readonly returnSource: boolean;
};

/** All operations of one bulk for one shard, as a coordinator sends them to the primary's node. */
export type ShardRequest = {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  /** Term of the primary the sender believes in; a node that knows a newer one refuses (fencing). */
  readonly primaryTerm: number;
  readonly operations: readonly Operation[];
  /** Bytes of all sources plus a fixed cost per operation: what the byte limits count. */
  readonly bytes: number;
  /** Hash of the sources' bytes and the ids the client gave; the same for a retry of the same items. 0 while nobody needs it. */
  readonly digest: number;
  /** What is left of the client's time. */
  readonly timeoutMs: number;
  /** `0` none, `all`, or a number of copies that must be active before the write starts. */
  readonly waitForActiveShards: number | 'all';
  readonly refresh: 'false' | 'true' | 'wait_for';
  readonly requestId: string;
  /** Drawn by the coordinator for each client's request, so that its parts know each other. */
  readonly bulkId?: string;
  readonly opaqueId: string | undefined;
  readonly traceId: string | undefined;
};

/** An operation as the primary decided it: what replicas apply, in any order, by sequence number. */
export type ReplicaOperation = {
  readonly kind: 'index' | 'delete';
  readonly id: string;
  readonly routing: string | undefined;
  readonly source: Buffer;
  readonly version: number;
  readonly seqNo: number;
  readonly primaryTerm: number;
};

/** Operations of one shard on their way from a primary to one replica. */
export type ReplicaRequest = {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly primaryTerm: number;
  readonly operations: readonly ReplicaOperation[];
  readonly bytes: number;
  readonly timeoutMs: number;
  readonly refresh: 'false' | 'true' | 'wait_for';
  readonly requestId: string;
  readonly bulkId?: string;
};

/** Copies of the shard that the write concerned: `total` configured, `successful` written, `failed` tried and lost. */
export type ShardsHeader = {
  readonly total: number;
  readonly successful: number;
  readonly failed: number;
  readonly failures?: readonly {
    readonly node: string;
    readonly status: string;
    readonly reason: { readonly type: string; readonly reason: string };
    readonly primary: boolean;
  }[];
};

export type ItemSuccess = {
  readonly ok: true;
  readonly status: 200 | 201 | 404;
  readonly result: 'created' | 'updated' | 'deleted' | 'noop' | 'not_found';
  readonly version: number;
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly shards: ShardsHeader;
  /** `{"found":true,"_source":…}` of an update that asked for it. */
  readonly get?: unknown;
};

export type ItemError = {
  readonly type: string;
  readonly reason: string;
  readonly index?: string;
  readonly shard?: string;
  readonly index_uuid?: string;
  readonly caused_by?: { readonly type: string; readonly reason: string };
  /** A refusal's evidence in wire names (docs: what a refusal looks like). */
  readonly weir?: Readonly<Record<string, string | number | null>>;
};

export type ItemFailure = { readonly ok: false; readonly status: number; readonly error: ItemError };

/** One item as an engine behind Weir gave it: what is not parsed is not changed. */
export type GivenItem = {
  /** It has no error. */
  readonly ok: boolean;
  readonly status: number;
  /** JSON text of the object inside the action's name, with all its keys. */
  readonly body: string;
};

/** What became of one operation at Weir's own engine. */
export type ItemResult = ItemSuccess | ItemFailure;
/** What became of one operation, whichever engine did it. */
export type OperationResult = ItemResult | GivenItem;

/** What is said of an operation whose answer did not come, was none, or is not whole. */
export function whyUnacknowledged(why: string): string {
  return `the write is not acknowledged and may have been applied: ${why}`;
}

/** Cost of an operation beside its source bytes, as held in memory on the way (action, id, bookkeeping). */
export const OPERATION_OVERHEAD_BYTES = 96;

/** Bytes an operation counts for against the byte limits. */
export function operationBytes(sourceLength: number): number {
  return sourceLength + OPERATION_OVERHEAD_BYTES;
}

/** Work an operation counts for: 1 + KiB of source, so that large documents weigh what they cost. */
export function operationWork(sourceLength: number): number {
  return 1 + sourceLength / 1024;
}

/** Work of all these operations. */
export function workOf(operations: readonly { readonly source: Buffer }[]): number {
  return operations.reduce((sum, { source }) => sum + operationWork(source.length), 0);
}
