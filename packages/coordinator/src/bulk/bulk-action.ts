// One action of a bulk as its line and the request's parameters say it, before anything is known of indices and shards.
import type { OperationKind, SourceFilter, VersionType } from '@weir/shared';

/** What an action demands of the document's present state. */
export type Conditions = {
  readonly ifSeqNo: number | undefined;
  readonly ifPrimaryTerm: number | undefined;
  readonly version: number | undefined;
  readonly versionType: VersionType;
  readonly retryOnConflict: number;
};

export const NO_CONDITIONS: Conditions = {
  ifSeqNo: undefined,
  ifPrimaryTerm: undefined,
  version: undefined,
  versionType: 'internal',
  retryOnConflict: 0,
};

export type BulkAction = {
  /** 1-based line of the action in the body. */
  readonly line: number;
  readonly kind: OperationKind;
  readonly index: string | undefined;
  /** undefined: to be made here. */
  readonly id: string | undefined;
  readonly routing: string | undefined;
  /** The document's line byte for byte, without its end. */
  readonly source: Buffer;
  readonly conditions: Conditions;
  readonly requireAlias: boolean;
  readonly pipeline: string | undefined;
  /** Which parts of the new source an update answers with. */
  readonly fetchSource: SourceFilter;
};

/** What holds for every action of a request that does not say otherwise. */
export type BulkDefaults = Pick<
  BulkAction,
  'index' | 'routing' | 'requireAlias' | 'pipeline' | 'fetchSource'
>;
