// What does this process use right now? Figures for people and their tools, read when they ask; no decision is taken on them.
import { statfs } from 'node:fs/promises';
import { availableParallelism, freemem, loadavg, totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { Clock } from '../ops/clock.ts';
import { realHeapLimitBytes } from './heap-limit.ts';

export type ProcessFigures = {
  readonly wallMs: number;
  readonly uptimeMs: number;
  /** Percent of the cores the process may run on, over the time since the figure before. */
  readonly cpuPercent: number;
  readonly cpuTotalMs: number;
  readonly heapUsedBytes: number;
  readonly heapCommittedBytes: number;
  /** Where the process dies, not V8's `heap_size_limit`, which is larger. */
  readonly heapLimitBytes: number;
  /** What the heap signal does not show: Buffers live outside the heap. */
  readonly residentBytes: number;
  readonly externalBytes: number;
  readonly arrayBufferBytes: number;
  readonly hostMemoryBytes: number;
  readonly hostFreeMemoryBytes: number;
  readonly loadAverage: readonly number[];
};

export type DiskFigures = {
  readonly totalBytes: number;
  readonly freeBytes: number;
  /** What is left for this process; less than free where a reserve is kept. */
  readonly availableBytes: number;
};

const LEAST_CPU_WINDOW_MS = 1_000;

/** Reads the figures; keeps only what the cpu share needs from one reading to the next. */
export class ProcessFiguresSource {
  readonly #clock: Clock;
  readonly #startMs: number;
  readonly #heapLimitBytes = realHeapLimitBytes();
  #cpuAtMs: number;
  #cpuMs = 0;
  #cpuPercent = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startMs = clock.nowMs();
    this.#cpuAtMs = this.#startMs;
    this.#cpuMs = cpuTotalMs();
  }

  read(): ProcessFigures {
    const nowMs = this.#clock.nowMs();
    const cpuMs = cpuTotalMs();
    const heap = getHeapStatistics();
    const memory = process.memoryUsage();
    return {
      wallMs: this.#clock.wallMs(),
      uptimeMs: Math.round(nowMs - this.#startMs),
      cpuPercent: this.#cpuShare(cpuMs, nowMs),
      cpuTotalMs: Math.round(cpuMs),
      heapUsedBytes: heap.used_heap_size,
      heapCommittedBytes: heap.total_heap_size,
      heapLimitBytes: this.#heapLimitBytes,
      residentBytes: memory.rss,
      externalBytes: memory.external,
      arrayBufferBytes: memory.arrayBuffers,
      hostMemoryBytes: totalmem(),
      hostFreeMemoryBytes: freemem(),
      loadAverage: loadavg(),
    };
  }

  #cpuShare(cpuMs: number, nowMs: number): number {
    const elapsedMs = nowMs - this.#cpuAtMs;
    if (elapsedMs < LEAST_CPU_WINDOW_MS) return this.#cpuPercent;
    const share = (cpuMs - this.#cpuMs) / (elapsedMs * availableParallelism());
    this.#cpuPercent = Math.min(100, share * 100);
    this.#cpuMs = cpuMs;
    this.#cpuAtMs = nowMs;
    return this.#cpuPercent;
  }
}

/** Room on the file system of `path`, in whole bytes. */
export async function readDiskFigures(path: string): Promise<DiskFigures> {
  const { blocks, bfree, bavail, bsize } = await statfs(path);
  return { totalBytes: blocks * bsize, freeBytes: bfree * bsize, availableBytes: bavail * bsize };
}

function cpuTotalMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
