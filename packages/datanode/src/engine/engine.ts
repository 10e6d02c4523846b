// The port to what stores and finds documents at one data node: SQLite in a worker, later a local OpenSearch node.
import type { IndexMetadata, ItemResult, ReplicaOperation } from '@weir/shared';
import type { AdmittedReplicaRequest, AdmittedShardRequest } from '../shard/admitted.ts';

/** One shard copy on this node. */
export type CopyRef = { readonly index: string; readonly indexUuid: string; readonly shard: number };

/** A primary's answer: one result per operation in order, and what the replicas have to apply (failed operations have nothing; a noop has what is stored, by its own sequence number). */
export type PrimaryOutcome = {
  readonly results: readonly ItemResult[];
  readonly replicaOperations: readonly ReplicaOperation[];
};

export type StoredDocument = {
  readonly id: string;
  readonly routing: string | undefined;
  readonly source: Buffer;
  readonly version: number;
  readonly seqNo: number;
  readonly primaryTerm: number;
};

/** A search over one shard copy; `query` is OpenSearch's query object, `query_string`'s included. */
export type ShardSearch = {
  readonly query: unknown;
  readonly from: number;
  readonly size: number;
  readonly sort: unknown;
  readonly trackTotalHits: boolean;
};

/** One shard's hits, already cut to from + size; `sort` holds the sort values by which the coordinator merges. */
export type ShardHits = {
  readonly total: number;
  readonly maxScore: number | null;
  readonly hits: readonly {
    readonly id: string;
    readonly score: number | null;
    readonly routing: string | undefined;
    readonly source: Buffer;
    readonly sort: readonly (string | number | null)[];
  }[];
};

export type CopyStats = {
  readonly docs: number;
  readonly deleted: number;
  readonly storeBytes: number;
  readonly maxSeqNo: number;
  readonly primaryTerm: number;
};

/** Every promise of a write resolves only after the operations are on disk (fsync). */
export interface Engine {
  /** Makes or opens a copy; idempotent. */
  openCopy(copy: CopyRef, metadata: IndexMetadata): Promise<void>;
  /** Forgets a copy and its files. */
  removeCopy(copy: CopyRef): Promise<void>;
  listCopies(): Promise<readonly CopyRef[]>;
  /** Applies operations in order as primary: versions, conflicts, sequence numbers. A document that is no JSON object fails alone. */
  applyPrimary(request: AdmittedShardRequest): Promise<PrimaryOutcome>;
  /** Applies by sequence number: an older operation on an id than the one stored is skipped. Throws `version_conflict` for a stale primary term. */
  applyReplica(request: AdmittedReplicaRequest): Promise<void>;
  /** Real-time: sees every acknowledged operation. */
  get(copy: CopyRef, ids: readonly string[]): Promise<readonly (StoredDocument | undefined)[]>;
  /** Near-real-time: sees what the last refresh saw. */
  search(copy: CopyRef, search: ShardSearch): Promise<ShardHits>;
  count(copy: CopyRef, query: unknown): Promise<number>;
  /** Makes everything applied so far visible to search. */
  refresh(copy: CopyRef): Promise<void>;
  stats(copy: CopyRef): Promise<CopyStats>;
  close(): Promise<void>;
}
