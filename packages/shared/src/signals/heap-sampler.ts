// How much of the memory it can have does this process really need: what is left after a major collection, over the limit it dies at.
import type { FieldWarnings } from './field-warnings.ts';
import { ownHeapFlags, usableHeapBytes } from './heap-limit.ts';
import { type HeapSource, v8HeapSource } from './heap-source.ts';
import { containerMemoryLimitBytes } from './memory-limit.ts';
import type { Sample, Sampler } from './sampler.ts';

type HeapOptions = {
  readonly root: string;
  readonly warnings: FieldWarnings;
  readonly source?: HeapSource;
  readonly flags?: readonly string[];
};

/** Right before a collection a healthy heap looks full; so only the level after one counts, once there was one. */
export class HeapSampler implements Sampler {
  readonly #source: HeapSource;
  readonly #stop: () => void;
  #leftBytes: number | undefined;
  /** The limit that the percentage is taken of. */
  readonly limitBytes: number;

  constructor({ root, warnings, source = v8HeapSource, flags = ownHeapFlags() }: HeapOptions) {
    this.#source = source;
    const sizeLimitBytes = source.sizeLimitBytes();
    const containerBytes = containerMemoryLimitBytes(root);
    const usableBytes = usableHeapBytes(sizeLimitBytes, flags);
    this.limitBytes = Math.min(usableBytes, containerBytes ?? Number.POSITIVE_INFINITY);
    if (containerBytes !== undefined && sizeLimitBytes > containerBytes) {
      warnings.warn(
        'heap.limit',
        'the heap limit of Node.js does not fit into the container: lower --max-old-space-size or raise the memory limit',
        { heap_size_limit_bytes: sizeLimitBytes, container_limit_bytes: containerBytes },
      );
    }
    this.#stop = source.onMajorCollection(() => {
      this.#leftBytes = source.oldBytes();
    });
  }

  sample(): Sample {
    return ((this.#leftBytes ?? this.#source.oldBytes()) / this.limitBytes) * 100;
  }

  close(): void {
    this.#stop();
  }
}
