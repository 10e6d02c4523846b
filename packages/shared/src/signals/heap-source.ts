// What V8 tells of this process's heap, behind a port so that tests can tell something else.
import {
  constants,
  type NodeGCPerformanceDetail,
  type PerformanceEntry,
  PerformanceObserver,
} from 'node:perf_hooks';
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';

/** The heap as one sampler sees it. */
export interface HeapSource {
  /** Bytes in the spaces that only a major collection empties and that the process dies of. */
  oldBytes(): number;
  /** V8's `heap_size_limit`. */
  sizeLimitBytes(): number;
  /** Calls back after every major collection until stopped. */
  onMajorCollection(listener: () => void): () => void;
}

const OLD_SPACES: ReadonlySet<string> = new Set(['old_space', 'large_object_space']);

export const v8HeapSource: HeapSource = {
  oldBytes() {
    let bytes = 0;
    for (const space of getHeapSpaceStatistics()) {
      if (OLD_SPACES.has(space.space_name)) bytes += space.space_used_size;
    }
    return bytes;
  },
  sizeLimitBytes: () => getHeapStatistics().heap_size_limit,
  onMajorCollection(listener) {
    const observer = new PerformanceObserver((list) => {
      if (list.getEntries().some(isMajor)) listener();
    });
    observer.observe({ entryTypes: ['gc'] });
    return () => observer.disconnect();
  },
};

function isMajor(entry: PerformanceEntry & { readonly detail?: NodeGCPerformanceDetail }): boolean {
  return entry.detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}
