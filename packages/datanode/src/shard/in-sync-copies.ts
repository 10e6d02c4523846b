// Takes copies that missed a write out of the in-sync set of their shard, and remembers those it could not take out yet.
import type {
  CopyMetadata,
  IndexMetadata,
  MetadataStore,
  ShardMetadata,
  Timers,
  WarningLog,
} from '@weir/shared';
import type { TermTarget } from './find-copy.ts';

/** `stale`: the metadata says that this node is no longer the primary. */
export type Dropped = 'dropped' | 'stale';

type Owed = { readonly target: TermTarget; readonly copy: CopyMetadata };

/** While copies are owed, the metadata is tried this often, whether or not there are writes. */
const TRY_AGAIN_MS = 1_000;

export class InSyncCopies {
  readonly #store: Pick<MetadataStore, 'change'>;
  readonly #nodeId: string;
  readonly #timers: Timers;
  readonly #log: WarningLog;
  /** Drops under way by copy: many writes lose the same copy at once. */
  readonly #dropping = new Map<string, Promise<Dropped>>();
  /** Copies that lack a write of this primary and are still in the set: nothing is acknowledged beside them. */
  readonly #owed = new Map<string, Owed>();
  #stopped = false;

  constructor(store: Pick<MetadataStore, 'change'>, nodeId: string, timers: Timers, log: WarningLog) {
    this.#store = store;
    this.#nodeId = nodeId;
    this.#timers = timers;
    this.#log = log;
  }

  /** Whether the copy lacks a write and has to leave the set before anything is acknowledged. */
  lacksWrite(copy: CopyMetadata): boolean {
    return this.#owed.has(copy.allocation_id);
  }

  /** Resolves once the copy is out of the set, here and on the bus; rejects when that could not be done, and goes on trying. */
  drop(target: TermTarget, copy: CopyMetadata): Promise<Dropped> {
    const key = copy.allocation_id;
    const known = this.#dropping.get(key);
    if (known !== undefined) return known;
    this.#owed.set(key, { target, copy });
    const dropping = this.#dropNow(target, copy)
      .then((dropped) => {
        this.#owed.delete(key);
        return dropped;
      })
      .finally(() => this.#dropping.delete(key));
    this.#dropping.set(key, dropping);
    dropping.catch(() => this.#tryAgainLater(key));
    return dropping;
  }

  stop(): void {
    this.#stopped = true;
  }

  async #dropNow(target: TermTarget, { node, allocation_id }: CopyMetadata): Promise<Dropped> {
    let dropped: Dropped = 'dropped';
    let removed = false;
    await this.#store.change(target.index, (current) => {
      const shard = current.shards[target.shard];
      const mine =
        current.uuid === target.indexUuid &&
        shard?.primary?.node === this.#nodeId &&
        shard.primary_term === target.primaryTerm;
      dropped = mine ? 'dropped' : 'stale';
      const next = mine ? withoutCopy(current, target.shard, shard, allocation_id) : current;
      removed = next !== current;
      return next;
    });
    // Rare, and it costs the index a part of its safety: each loss has its line.
    if (removed) {
      const fields = { index: target.index, shard: target.shard, node, allocation_id };
      this.#log.warn(fields, 'a replica missed a write and left the in-sync set');
    }
    return dropped;
  }

  #tryAgainLater(key: string): void {
    this.#timers.after(TRY_AGAIN_MS, () => {
      const owed = this.#owed.get(key);
      if (owed !== undefined && !this.#stopped) this.drop(owed.target, owed.copy).catch(() => undefined);
    });
  }
}

/** The same object where the copy is no longer in the set. */
function withoutCopy(
  index: IndexMetadata,
  number: number,
  shard: ShardMetadata,
  allocationId: string,
): IndexMetadata {
  const copy = shard.replicas.find(({ allocation_id }) => allocation_id === allocationId);
  if (copy === undefined) return index;
  const replicas = shard.replicas.filter((other) => other !== copy);
  const changed = { ...shard, replicas, lost: [...shard.lost, copy] };
  return { ...index, shards: index.shards.with(number, changed) };
}
