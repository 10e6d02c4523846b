// Gathers a body piece by piece in one buffer: linear in time, never larger than its limit, and paid for before it grows.
import { WeirError } from '@weir/shared';

/** The first piece of memory: what a client that only opened a request can hold. */
const FIRST_BYTES = 64 * 1024;

export type BodyLimit = {
  readonly maxBytes: number;
  /** The setting that holds the limit, for its error. */
  readonly setting?: string;
};

/** What pays for the memory of a body; both throw where the bytes do not fit. */
export interface BodyBudget {
  /** Hears how much is to come before any of it is read; takes nothing. */
  announce(bytes: number): void;
  take(bytes: number): void;
}

export class BodyBuffer {
  readonly #limit: BodyLimit;
  readonly #expectedBytes: number | undefined;
  readonly #budget: BodyBudget;
  #buffer = Buffer.alloc(0);
  #length = 0;

  /** `expectedBytes`: what the client declared, where that is the length of what comes here. */
  constructor(limit: BodyLimit, expectedBytes: number | undefined, budget: BodyBudget) {
    this.#limit = limit;
    this.#expectedBytes = expectedBytes;
    this.#budget = budget;
  }

  /** Throws `too_large` at the first byte over the limit. */
  append(chunk: Buffer): void {
    const needed = this.#length + chunk.length;
    if (needed > this.#limit.maxBytes) throw tooLarge(this.#limit, `more than ${this.#limit.maxBytes}`);
    if (needed > this.#buffer.length) this.#grow(needed);
    chunk.copy(this.#buffer, this.#length);
    this.#length = needed;
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  /** By what was declared once more than the first piece has come; by doubling where nothing was, so that copying stays linear. */
  #grow(needed: number): void {
    const declared = this.#expectedBytes;
    const wanted =
      declared === undefined || needed > declared
        ? Math.max(needed, this.#buffer.length * 2)
        : needed <= FIRST_BYTES
          ? Math.min(declared, FIRST_BYTES)
          : declared;
    const capacity = Math.min(wanted, this.#limit.maxBytes);
    this.#budget.take(capacity - this.#buffer.length);
    const grown = Buffer.allocUnsafeSlow(capacity);
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
  }
}

/** 413 with the limit in bytes; `actual` in words, since a body that comes in pieces is not read to its end. */
export function tooLarge({ maxBytes, setting }: BodyLimit, actual: string): WeirError {
  return new WeirError(
    'too_large',
    `request body of ${actual} bytes is over the limit${setting === undefined ? '' : ` [${setting}]`} of ${maxBytes} bytes`,
    { fields: { limit_bytes: maxBytes } },
  );
}
