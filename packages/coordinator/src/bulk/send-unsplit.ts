// The port by which actions that cannot be split by shard are done elsewhere, as one request of the same client.
import type { OperationResult } from '@weir/shared';
import type { BulkAction } from './bulk-action.ts';

/** A request as its client sent it: engines behind Weir ask for the client's own rights. */
export type ClientRequest = {
  /** Path and query. */
  readonly target: string;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  /** The whole body, inflated. */
  readonly body: Buffer;
};

export type UnsplitRequest = {
  readonly client: ClientRequest;
  /** Actions of that body, in order. */
  readonly actions: readonly BulkAction[];
  readonly timeoutMs: number;
};

/** An answer to a request that was judged as a whole, to be given to the client as it is. */
export type WholeAnswer = {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Buffer;
};

export type UnsplitFate = {
  /** One for each action. */
  readonly results: readonly OperationResult[];
  /** The answer where it was none to single actions. */
  readonly whole: WholeAnswer | undefined;
  /** How long the engine behind says that its pipelines took; undefined where there were none. */
  readonly ingestTookMs?: number | undefined;
};

/** Never rejects. */
export type SendUnsplit = (request: UnsplitRequest) => Promise<UnsplitFate>;
