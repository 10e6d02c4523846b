// How to read a small kernel file again and again: its descriptor stays open and one buffer serves all, so a reading costs microseconds.
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

/** A kernel makes what a single read returns in pages; a longer file needs several reads. */
const PAGE_BYTES = 4_096;
/** Holds the cpu lines of /proc/stat for about 600 cores, and the lines of /proc/diskstats for as many devices. */
const LONGEST_BYTES = 64 * 1024;

/** Shared by all files: a read and the parsing of its text happen without a pause between them. */
const buffer = Buffer.allocUnsafeSlow(LONGEST_BYTES);

/** One file under /proc or /sys that is read once per sample. */
export class KernelFile {
  readonly #descriptor: number;
  readonly #longestBytes: number;
  #closed = false;

  /** Opens the file, or returns undefined where that cannot be done: the reading does not exist on this machine. */
  static open(path: string, size: 'page' | 'long' = 'page'): KernelFile | undefined {
    try {
      return new KernelFile(openSync(path, 'r'), size === 'page' ? PAGE_BYTES : LONGEST_BYTES);
    } catch {
      return undefined;
    }
  }

  private constructor(descriptor: number, longestBytes: number) {
    this.#descriptor = descriptor;
    this.#longestBytes = longestBytes;
  }

  /** The text as it is now; undefined where it cannot be read, as when the cgroup behind it was removed. */
  read(): string | undefined {
    if (this.#closed) return undefined;
    try {
      return buffer.toString('latin1', 0, this.#fill());
    } catch {
      return undefined;
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    closeSync(this.#descriptor);
  }

  #fill(): number {
    let filled = 0;
    while (filled < this.#longestBytes) {
      const read = readSync(this.#descriptor, buffer, filled, this.#longestBytes - filled, filled);
      filled += read;
      if (read === 0 || this.#longestBytes === PAGE_BYTES) break;
    }
    return filled;
  }
}

/** A file that is read once, at the start. */
export function readOnce(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}

/** A decimal number at the start of a text, or undefined; `max` and the like are no number. */
export function numberIn(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const value = Number.parseInt(text, 10);
  return Number.isFinite(value) ? value : undefined;
}
