// Which copies are open, in all threads alike? Opening and forgetting one copy never overlap.
import type { IndexMetadata } from '@weir/shared';
import { WeirError } from '@weir/shared/errors';
import { type CopyFiles, confirmCopy, copyFiles, copyKey, forgetCopy, prepareCopy } from './copy-files.ts';
import type { CopyRef } from './engine.ts';
import type { FeedSchedule } from './feed-schedule.ts';
import type { EngineThreads } from './threads/engine-threads.ts';

export class OpenCopies {
  readonly #dataPath: string;
  readonly #threads: EngineThreads;
  readonly #feed: FeedSchedule;
  readonly #open = new Map<string, CopyFiles>();
  /** The newest step on each copy. */
  readonly #steps = new Map<string, Promise<void>>();

  constructor(dataPath: string, threads: EngineThreads, feed: FeedSchedule) {
    this.#dataPath = dataPath;
    this.#threads = threads;
    this.#feed = feed;
  }

  /** Key and files of an open copy; throws `no_shard_available` for any other. */
  of(copy: CopyRef): { readonly key: string; readonly files: CopyFiles } {
    const key = copyKey(copy);
    const files = this.#open.get(key);
    if (files !== undefined) return { key, files };
    throw new WeirError('no_shard_available', `[${copy.index}][${copy.shard}] is not open on this node`, {
      fields: { index_uuid: copy.indexUuid },
    });
  }

  async open(copy: CopyRef, metadata: IndexMetadata): Promise<void> {
    const key = copyKey(copy);
    if (this.#open.has(key)) return;
    await this.#inOrder(key, async () => {
      if (!this.#open.has(key)) await this.#openNow(key, copy, metadata);
    });
  }

  async remove(copy: CopyRef): Promise<void> {
    const key = copyKey(copy);
    const files = copyFiles(this.#dataPath, copy);
    await this.#inOrder(key, async () => {
      this.#open.delete(key);
      this.#feed.remove(key);
      const { writer, reader, indexer } = this.#threads;
      await Promise.all([reader.call('close', { key }), indexer.call('close', { key })]);
      await writer.call('close', { key });
      await forgetCopy(files);
    });
  }

  /** The writer first: it makes the documents' file, which the index belongs to, which the reader needs. */
  async #openNow(key: string, copy: CopyRef, metadata: IndexMetadata): Promise<void> {
    const files = copyFiles(this.#dataPath, copy);
    const existed = await prepareCopy(files);
    const { writer, reader, indexer } = this.#threads;
    const { changes } = await writer.call('open', {
      key,
      copy: { index: copy.index, indexUuid: copy.indexUuid, shard: copy.shard },
      file: files.documents,
      mustExist: existed,
      primaryTerm: metadata.shards[copy.shard]?.primary_term ?? 0,
    });
    const { documents, search } = files;
    const { indexed } = await indexer.call('open', { key, documents, search });
    await reader.call('open', { key, documents, search });
    if (!existed) await confirmCopy(files, copy);
    this.#feed.add(key, changes, indexed);
    this.#open.set(key, files);
  }

  #inOrder(key: string, step: () => Promise<void>): Promise<void> {
    const before = this.#steps.get(key) ?? Promise.resolve();
    const next = before.catch(() => {}).then(step);
    this.#steps.set(key, next);
    const forget = (): void => {
      if (this.#steps.get(key) === next) this.#steps.delete(key);
    };
    next.then(forget, forget);
    return next;
  }
}
