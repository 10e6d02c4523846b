// The actions of a request whose shards cannot be told here: what is decided upon, sent on and answered as one part.
import {
  digestOf,
  type IndexMetadata,
  operationBytes,
  type ShedSubject,
  type UnsplitReason,
} from '@weir/shared';
import type { BulkAction } from './bulk-action.ts';

const NO_SHARD = -1;

/** Gathers actions while a request is routed; afterwards it is the gate's view of the part. */
export class UnsplitActions implements ShedSubject {
  readonly actions: BulkAction[] = [];
  /** Place of each action among the items of the request. */
  readonly positions: number[] = [];
  readonly counts = new Map<UnsplitReason, number>();
  /** Indices they most likely end in. */
  readonly likely = new Map<string, IndexMetadata>();
  /** Nothing is known of where some of them end. */
  anywhere = false;
  bytes = 0;
  #digest = 0;

  add(action: BulkAction, position: number, reason: UnsplitReason, likely: IndexMetadata | undefined): void {
    this.actions.push(action);
    this.positions.push(position);
    this.counts.set(reason, (this.counts.get(reason) ?? 0) + 1);
    if (likely === undefined) this.anywhere = true;
    else this.likely.set(likely.name, likely);
    this.bytes += operationBytes(action.source.length);
  }

  /** The first one named, for the log. */
  get index(): string {
    return this.actions[0]?.index ?? '';
  }

  get shard(): number {
    return NO_SHARD;
  }

  digest(): number {
    if (this.#digest === 0)
      this.#digest = digestOf(
        this.actions.map(({ kind, id, routing, source }) => ({
          ...{ kind, routing, source },
          id: id ?? '',
          autoId: id === undefined,
        })),
      );
    return this.#digest;
  }
}
