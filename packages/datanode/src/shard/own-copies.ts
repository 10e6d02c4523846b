// Keeps this node's shard copies as the metadata says: opens what is assigned here, throws away what belongs to indices known to be deleted.
import {
  type ChangedIndices,
  type IndexMetadata,
  type MetadataStore,
  toWeirError,
  type WarningLog,
} from '@weir/shared';
import type { CopyRef, Engine } from '../engine/engine.ts';

type KnownIndices = Pick<MetadataStore, 'get' | 'isDeleted' | 'onChange'>;

export class OwnCopies {
  readonly #nodeId: string;
  readonly #store: KnownIndices;
  readonly #engine: Engine;
  readonly #log: WarningLog;
  /** Names to look at; those of deleted indices too. */
  readonly #pending = new Set<string>();
  #working: Promise<void> | undefined;
  #unsubscribe: () => void = () => {};

  constructor(nodeId: string, store: KnownIndices, engine: Engine, log: WarningLog) {
    this.#nodeId = nodeId;
    this.#store = store;
    this.#engine = engine;
    this.#log = log;
  }

  /** Hears of every change from now on; call it before the store starts, so that deletions are not missed. */
  follow(): void {
    this.#unsubscribe = this.#store.onChange((changed) => this.#heard(changed));
  }

  /** Resolves when the copies are as all that was heard so far says. */
  async settled(): Promise<void> {
    while (this.#working !== undefined) await this.#working;
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#pending.clear();
    await this.settled();
  }

  #heard(changed: ChangedIndices): void {
    for (const name of changed.keys()) this.#pending.add(name);
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
    });
  }

  /** One round at a time; what changes during a round is done in the next. */
  async #work(): Promise<void> {
    while (this.#pending.size > 0) {
      const names = new Set(this.#pending);
      this.#pending.clear();
      const onDisk = await this.#engine.listCopies().catch((thrown: unknown) => this.#failed('list', thrown));
      for (const copy of onDisk ?? []) if (names.has(copy.index)) await this.#removeIfGone(copy);
      for (const name of names) await this.#openAssigned(this.#store.get(name));
    }
  }

  async #removeIfGone(copy: CopyRef): Promise<void> {
    if (this.#store.isDeleted(copy.index, copy.indexUuid))
      await this.#engine.removeCopy(copy).catch((thrown: unknown) => this.#failed('remove', thrown, copy));
    else if (this.#store.get(copy.index)?.uuid !== copy.indexUuid)
      // Another index may have its name because the bus had lost this one: its acknowledged documents are for the operator to judge.
      this.#log.warn(
        { ...copy },
        'shard copies: the files of an index that is not known stay, as its deletion was not heard of',
      );
  }

  async #openAssigned(metadata: IndexMetadata | undefined): Promise<void> {
    for (const [shard, { primary, replicas }] of metadata?.shards.entries() ?? []) {
      if (metadata === undefined || ![primary, ...replicas].some((copy) => copy?.node === this.#nodeId))
        continue;
      const copy = { index: metadata.name, indexUuid: metadata.uuid, shard };
      await this.#engine
        .openCopy(copy, metadata)
        .catch((thrown: unknown) => this.#failed('open', thrown, copy));
    }
  }

  #failed(what: 'list' | 'open' | 'remove', thrown: unknown, copy?: CopyRef): undefined {
    const cause = toWeirError(thrown).message;
    this.#log.warn({ ...copy, cause }, `shard copies: could not ${what}`);
    return undefined;
  }
}
