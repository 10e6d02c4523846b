// Makes ids for documents that came without one: 20 characters, in order of time, safe in a URL.
import type { Clock, Rng } from '@weir/shared';

/** In order of their bytes, so that ids sort as the time they were made at. */
const ALPHABET = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
/** Added to the time so that ids begin with a letter: 11 is the place of `A`, and a time of 42 bits leaves the first 6 of 48 free until 2109. */
const FIRST_LETTER = 11 * 2 ** 42;
const COUNTER_LIMIT = 2 ** 24;

/** 48 bits of time, 24 of a counter within the millisecond, 48 of chance drawn once per maker, so that no two makers meet. */
export class AutoIds {
  readonly #clock: Clock;
  readonly #suffix: string;
  #timeMs = 0;
  #timePart = '';
  #counter = 0;

  constructor(clock: Clock, rng: Rng) {
    this.#clock = clock;
    this.#suffix = encode(rng.bytes(6).readUIntBE(0, 6), 8);
  }

  /** A new id, greater than all before it, also when the wall clock is set back. */
  next(): string {
    const wallMs = Math.max(0, Math.floor(this.#clock.wallMs()));
    this.#counter += 1;
    if (wallMs > this.#timeMs) this.#startAt(wallMs);
    else if (this.#counter === COUNTER_LIMIT) this.#startAt(this.#timeMs + 1);
    return this.#timePart + encode(this.#counter, 4) + this.#suffix;
  }

  #startAt(timeMs: number): void {
    this.#timeMs = timeMs;
    this.#timePart = encode((timeMs % 2 ** 42) + FIRST_LETTER, 8);
    this.#counter = 0;
  }
}

function encode(value: number, length: number): string {
  let rest = value;
  let text = '';
  for (let digit = 0; digit < length; digit += 1) {
    text = (ALPHABET[rest % 64] ?? '') + text;
    rest = Math.floor(rest / 64);
  }
  return text;
}
